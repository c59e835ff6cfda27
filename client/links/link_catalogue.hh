#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "links/interfaces/link_monitor.hh"
#include "links/link_source.hh"
#include "links/way.hh"

namespace tributary {

/// The links that a program knows, by name: the interfaces of this machine, which come and go, and those of other sources.
/// Made once in each main; then only read, from any thread.
class LinkCatalogue {
 public:
  /// Its links come and go as those of this machine do.
  void add(std::shared_ptr<const LinkSource> source) { sources_.push_back(std::move(source)); }
  /// One more link, reached through a proxy over whatever leads to that. Throws std::invalid_argument if the name is that of
  /// an interface, or was added before.
  void add(const std::string& name, ConnectProxy proxy);
  /// The source of this kind; null: there is none.
  template <typename Source>
  std::shared_ptr<const Source> source() const {
    for (const auto& source : sources_) {
      if (auto found = std::dynamic_pointer_cast<const Source>(source)) return found;
    }
    return nullptr;
  }
  bool has_added(const std::string& name) const { return source_of(name) != nullptr; }

  /// The proxy for an origin ("https://example.org"); null: none. May be called from any thread.
  using ProxyOfOrigin = std::function<std::shared_ptr<const ConnectProxy>(const std::string& origin_url)>;
  /// All interfaces reach origins through these proxies, as in a company's network.
  void lead_through(ProxyOfOrigin proxy) { leading_ = std::move(proxy); }

  /// How connections over the link to an origin are made.
  Way way(const std::string& link, const std::string& origin_url) const;
  /// The proxy that all interfaces reach the origin through; null: none.
  std::shared_ptr<const ConnectProxy> leading(const std::string& origin_url) const {
    return leading_ ? leading_(origin_url) : nullptr;
  }

  /// Tells which links lead to an origin, and each change of that. `only`: of these; empty: of all. Throws as
  /// NetlinkLinkMonitor does.
  std::unique_ptr<LinkMonitor> watch(const std::vector<std::string>& origin_addresses,
                                     const std::vector<std::string>& only = {}) const;

 private:
  /// Null: it is an interface of this machine.
  const LinkSource* source_of(const std::string& link) const;

  std::vector<std::shared_ptr<const LinkSource>> sources_;
  ProxyOfOrigin leading_;
};

/// As LinkCatalogue::watch(); null: there is nothing but the interfaces of this machine.
std::unique_ptr<LinkMonitor> watch_links(const LinkCatalogue* catalogue,
                                         const std::vector<std::string>& origin_addresses,
                                         const std::vector<std::string>& only = {});

}  // namespace tributary
