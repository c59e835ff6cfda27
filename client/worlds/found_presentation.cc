#include "worlds/found_presentation.hh"

#include <memory>
#include <utility>

#include "links/netlink_link_monitor.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/link_transport.hh"

namespace tributary {

PresentationSearch::PresentationSearch(std::string index_url, std::vector<std::string> only, std::string authorities)
    : url{std::move(index_url)},
      links{std::move(only)},
      ca_file{std::move(authorities)},
      resolve{transport::resolve},
      wait{[](transport::CurlLoop& loop, std::optional<Duration> at_most) { loop.wait(at_most); }},
      tell{[](const std::string& /*what_for*/) {}} {}

FoundPresentation find_presentation(const PresentationSearch& search) {
  FoundPresentation found;
  found.location = transport::parse_url(search.url);
  found.addresses = search.resolve(found.location.origin);
  NetlinkLinkMonitor monitor{found.addresses, search.links};
  transport::CurlLoop loop;
  std::optional<transport::Document> document;
  const auto begin = [&](const std::string& link) -> Attempt {
    const auto fetch = std::make_shared<transport::DocumentFetch>(
        loop, search.url, transport::LinkRules{.link = link, .ca_file = search.ca_file});
    return [&document, fetch] {
      document = fetch->result();
      if (document) return AttemptState::kThere;
      return fetch->asked() ? AttemptState::kAsked : AttemptState::kConnecting;
    };
  };
  over_first_link(search.url, monitor, search.use,
                  {begin, [&](std::optional<Duration> at_most) { search.wait(loop, at_most); }, search.tell});
  const transport::FileLocation location = transport::parse_url(document->url);
  if (location.origin != found.location.origin) found.addresses = search.resolve(location.origin);
  found.location = location;
  found.index = std::move(document->text);
  found.waited = document->waited;
  return found;
}

NetworkWorld::Connections connections_to(const FoundPresentation& found, transport::CurlLoop& loop,
                                         const transport::LinkRules& rules) {
  transport::OriginPace pace;
  pace.went_on_after(found.waited);
  return {[&found, &loop, rules, pace, versions = transport::FileVersions{}](const std::string& link) {
            transport::LinkRules over_it = rules;
            over_it.link = link;
            return transport::make_following_transport(loop, found.location.origin, found.addresses, over_it,
                                                       {.versions = versions, .pace = pace});
          },
          [&](const std::string& uri) { return transport::resolve_uri(found.location, uri).target; }};
}

}  // namespace tributary
