#include "apps/bench/network_run.hh"

#include <fmt/format.h>

#include <stdexcept>

#include "links/netlink_link_monitor.hh"
#include "transport/document_fetch.hh"
#include "transport/origin_addresses.hh"

namespace tributary {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace

FoundPresentation find_presentation(const BenchOptions& options) {
  FoundPresentation found;
  found.location = transport::parse_url(options.index);
  found.addresses = transport::resolve(found.location.origin);
  std::vector<std::string> tried;
  for (const LinkChangeNotice& notice : NetlinkLinkMonitor{found.addresses, options.links}.poll()) {
    if (!notice.usable) {
      tried.push_back(fmt::format("{}: {}", notice.link.name, notice.why));
      continue;
    }
    try {
      const transport::LinkRules rules{.link = notice.link.name, .ca_file = options.ca_file};
      transport::Document document = transport::fetch_document(options.index, rules);
      const transport::FileLocation location = transport::parse_url(document.url);
      if (location.origin != found.location.origin) found.addresses = transport::resolve(location.origin);
      found.location = location;
      found.index = std::move(document.text);
      return found;
    } catch (const transport::FetchError& error) {
      tried.push_back(error.what());
    }
  }
  if (tried.empty())
    tried.push_back("no link has carrier, an address and a route to " + found.location.origin.url());
  throw std::runtime_error(fmt::format("cannot fetch {}:{}", options.index, joined(tried)));
}

}  // namespace tributary
