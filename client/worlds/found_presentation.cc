#include "worlds/found_presentation.hh"

#include <utility>

#include "links/netlink_link_monitor.hh"
#include "transport/link_transport.hh"
#include "transport/origin_addresses.hh"

namespace tributary {

PresentationSearch::PresentationSearch(std::string index_url, std::vector<std::string> only, std::string authorities)
    : url{std::move(index_url)},
      links{std::move(only)},
      ca_file{std::move(authorities)},
      resolve{transport::resolve},
      fetch{[](const std::string& from, const transport::LinkRules& rules) {
        return transport::fetch_document(from, rules);
      }} {}

FoundPresentation find_presentation(const PresentationSearch& search) {
  FoundPresentation found;
  found.location = transport::parse_url(search.url);
  found.addresses = search.resolve(found.location.origin);
  NetlinkLinkMonitor monitor{found.addresses, search.links};
  over_first_link(search.url, monitor, search.use, [&](const std::string& link) {
    transport::Document document = search.fetch(search.url, {.link = link, .ca_file = search.ca_file});
    const transport::FileLocation location = transport::parse_url(document.url);
    if (location.origin != found.location.origin) found.addresses = search.resolve(location.origin);
    found.location = location;
    found.index = std::move(document.text);
  });
  return found;
}

NetworkWorld::Connections connections_to(const FoundPresentation& found, transport::CurlLoop& loop,
                                         const transport::LinkRules& rules) {
  return {[&found, &loop, rules, versions = transport::FileVersions{}](const std::string& link) {
            transport::LinkRules over_it = rules;
            over_it.link = link;
            return transport::make_link_transport(loop, found.location.origin, found.addresses, over_it,
                                                  {.versions = versions});
          },
          [&](const std::string& uri) { return transport::resolve_uri(found.location, uri).target; }};
}

}  // namespace tributary
