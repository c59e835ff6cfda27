#include "worlds/search_over_links.hh"

#include <algorithm>
#include <optional>

#include "links/link_catalogue.hh"
#include "links/way.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/sockets/public_address.hh"
#include "worlds/discovery/batch_fetch.hh"

namespace tributary {
namespace {

/// Whether what is asked for through a proxy is of the internet: the address that the connection leads to does not tell.
bool is_of_internet(const transport::Origin& origin, const std::vector<std::string>& addresses,
                    const transport::LinkRules& rules) {
  if (!rules.way(origin).proxy) return false;
  if (rules.catalogue->leading(origin.url())) {
    const std::string host = origin.name();
    return !transport::parse_address(host) || transport::leads_to_internet(host);
  }
  return std::ranges::all_of(addresses, transport::leads_to_internet);
}

}  // namespace

void over_links(const PresentationSearch& search, const std::vector<std::string>& addresses, const std::string& url,
                bool looks_again, const MakeAttempt& make) {
  const auto monitor = watch_links(search.rules.catalogue.get(), addresses, search.links);
  std::optional<transport::CurlLoop> own_loop;
  transport::CurlLoop& loop = search.session ? search.session->loop : own_loop.emplace();
  transport::Preconnections* const ahead = search.session ? search.session->rules.preconnections.get() : nullptr;
  const auto preconnect = [&](const std::string& link) {
    if (ahead != nullptr && search.use(link) == LinkUse::kUse) ahead->begin(search.session->rules.over(link));
  };
  const transport::Origin origin = transport::parse_url(url).origin;
  const auto begin = [&](const std::string& link) -> Attempt {
    const transport::LinkRules rules = search.rules.over(link);
    if (rules.guard && is_of_internet(origin, addresses, rules)) rules.guard->title_is_of_internet();
    Attempt attempt = make(loop, rules);
    if (search.session && !search.session->goes_on_with_answer) preconnect(link);
    return attempt;
  };
  const auto within_patience = [&](std::optional<Duration> at_most) {
    constexpr Duration kLookAgain = BatchFetch::kPatience / 4;
    return looks_again ? std::min(at_most.value_or(kLookAgain), kLookAgain) : at_most;
  };
  over_first_link(url, *monitor, search.use,
                  {.begin = begin,
                   .wait =
                       [&](std::optional<Duration> at_most) {
                         search.wait(loop, within_patience(at_most));
                         if (ahead != nullptr) ahead->close_late();
                       },
                   .tell = search.tell,
                   .preconnect = preconnect,
                   .is_connected = [&](const std::string& link) { return ahead != nullptr && ahead->is_made(link); }});
  if (ahead != nullptr) ahead->answered();
}

}  // namespace tributary
