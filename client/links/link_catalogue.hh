#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "links/link_monitor.hh"
#include "links/way.hh"

namespace tributary {

/// The links that a program knows, by name: the interfaces of this machine, which come and go, and what the user has added.
/// Made once in each main; then only read, from any thread.
class LinkCatalogue {
 public:
  /// One more link, reached through a proxy over whatever leads to that. Throws std::invalid_argument if the name is that of
  /// an interface, or was added before.
  void add(const std::string& name, ConnectProxy proxy);
  bool has_added(const std::string& name) const { return proxies_.contains(name); }

  /// How connections over the link are made.
  Way way(const std::string& link) const;

  /// Tells which links lead to an origin, and each change of that. `only`: of these; empty: of all. Throws as
  /// NetlinkLinkMonitor does.
  std::unique_ptr<LinkMonitor> watch(const std::vector<std::string>& origin_addresses,
                                     const std::vector<std::string>& only = {}) const;

 private:
  std::map<std::string, std::shared_ptr<const ConnectProxy>> proxies_;
};

/// As LinkCatalogue::watch(); null: there is nothing but the interfaces of this machine.
std::unique_ptr<LinkMonitor> watch_links(const LinkCatalogue* catalogue,
                                         const std::vector<std::string>& origin_addresses,
                                         const std::vector<std::string>& only = {});

}  // namespace tributary
