#include "links/proxy_link.hh"

#include <algorithm>
#include <utility>

#include "links/interfaces/link_snapshot.hh"

namespace tributary {
namespace {

bool is_here(const std::vector<std::string>& addresses) {
  return !addresses.empty() && LinkSnapshot{addresses}.origin_is_loopback();
}

}  // namespace

ProxyLinkMonitor::ProxyLinkMonitor(std::string name, const std::vector<std::string>& proxy_addresses,
                                   const std::vector<std::string>& origin_addresses)
    : name_{std::move(name)},
      origin_is_here_{is_here(origin_addresses) && !is_here(proxy_addresses)},
      interfaces_{proxy_addresses} {}

LinkChangeNotice ProxyLinkMonitor::notice() const {
  LinkInfo link;
  link.name = name_;
  link.kind = "proxy";
  link.has_ipv4 = link.has_ipv6 = true;  // the proxy sees to that
  const bool usable = !usable_.empty() && !origin_is_here_;
  std::string why = usable ? "over " + *usable_.begin() : "no link leads to the proxy";
  if (origin_is_here_) why = "the origin is on this machine";
  return {.link = std::move(link), .usable = usable, .why = std::move(why)};
}

std::vector<LinkChangeNotice> ProxyLinkMonitor::poll() {
  for (const LinkChangeNotice& change : interfaces_.poll()) {
    if (change.usable)
      usable_.insert(change.link.name);
    else
      usable_.erase(change.link.name);
  }
  LinkChangeNotice now = notice();
  if (now.usable == told_.value_or(false)) {
    told_ = now.usable;
    return {};
  }
  told_ = now.usable;
  return {std::move(now)};
}

std::vector<LinkChangeNotice> ProxyLinkMonitor::obstructed() const {
  if (told_.value_or(false)) return {};
  return {notice()};
}

std::unique_ptr<LinkMonitor> ProxyLink::watch(const std::vector<std::string>& origin_addresses,
                                              const std::vector<std::string>& only) const {
  if (!only.empty() && std::ranges::find(only, name_) == only.end()) return nullptr;
  return std::make_unique<ProxyLinkMonitor>(name_, proxy_->addresses, origin_addresses);
}

}  // namespace tributary
