#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "links/interfaces/netlink_link_monitor.hh"
#include "links/link_source.hh"

namespace tributary {

/// Watches a link that goes through a proxy: it is there while an interface of this machine leads to the proxy. Whether the
/// proxy answers, and lets anything through, is seen by its connections.
class ProxyLinkMonitor final : public LinkMonitor {
 public:
  /// An origin on this machine is out of the proxy's sight. Throws as NetlinkLinkMonitor does.
  ProxyLinkMonitor(std::string name, const std::vector<std::string>& proxy_addresses,
                   const std::vector<std::string>& origin_addresses);

  int file_descriptor() const override { return interfaces_.file_descriptor(); }
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override;

 private:
  LinkChangeNotice notice() const;

  std::string name_;
  bool origin_is_here_;
  NetlinkLinkMonitor interfaces_;
  std::set<std::string> usable_;  // of the interfaces
  std::optional<bool> told_;
};

/// One link that goes through a proxy.
class ProxyLink final : public LinkSource {
 public:
  ProxyLink(std::string name, std::shared_ptr<const ConnectProxy> proxy)
      : name_{std::move(name)}, proxy_{std::move(proxy)} {}

  bool has(const std::string& link) const override { return link == name_; }
  Way way(const std::string& /*link*/) const override { return {.proxy = proxy_}; }
  std::unique_ptr<LinkMonitor> watch(const std::vector<std::string>& origin_addresses,
                                     const std::vector<std::string>& only) const override;

 private:
  std::string name_;
  std::shared_ptr<const ConnectProxy> proxy_;
};

}  // namespace tributary
