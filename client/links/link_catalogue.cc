#include "links/link_catalogue.hh"

#include <net/if.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "links/interfaces/netlink_link_monitor.hh"
#include "links/merged_links.hh"
#include "links/proxy_link.hh"

namespace tributary {

void LinkCatalogue::add(const std::string& name, ConnectProxy proxy) {
  if (if_nametoindex(name.c_str()) != 0) throw std::invalid_argument{"there is an interface of this name"};
  if (has_added(name)) throw std::invalid_argument{"there is another link of this name"};
  add(std::make_shared<const ProxyLink>(name, std::make_shared<const ConnectProxy>(std::move(proxy))));
}

const LinkSource* LinkCatalogue::source_of(const std::string& link) const {
  const auto found = std::ranges::find_if(sources_, [&](const auto& source) { return source->has(link); });
  return found == sources_.end() ? nullptr : found->get();
}

Way LinkCatalogue::way(const std::string& link, const std::string& origin_url) const {
  const LinkSource* source = source_of(link);
  return source == nullptr ? Way{.device = link, .proxy = leading(origin_url)} : source->way(link);
}

std::unique_ptr<LinkMonitor> LinkCatalogue::watch(const std::vector<std::string>& origin_addresses,
                                                  const std::vector<std::string>& only) const {
  std::vector<std::string> interfaces;
  std::ranges::copy_if(only, std::back_inserter(interfaces), [&](const auto& name) { return !has_added(name); });
  std::vector<std::unique_ptr<LinkMonitor>> monitors;
  if (only.empty() || !interfaces.empty())
    monitors.push_back(std::make_unique<NetlinkLinkMonitor>(origin_addresses, std::move(interfaces)));
  for (const auto& source : sources_) {
    if (auto monitor = source->watch(origin_addresses, only)) monitors.push_back(std::move(monitor));
  }
  if (monitors.size() == 1) return std::move(monitors.front());
  return std::make_unique<MergedLinks>(std::move(monitors));
}

std::unique_ptr<LinkMonitor> watch_links(const LinkCatalogue* catalogue,
                                         const std::vector<std::string>& origin_addresses,
                                         const std::vector<std::string>& only) {
  return catalogue != nullptr ? catalogue->watch(origin_addresses, only)
                              : std::make_unique<NetlinkLinkMonitor>(origin_addresses, only);
}

}  // namespace tributary
