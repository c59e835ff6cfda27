#include "relay/split_destinations.hh"

#include <algorithm>
#include <iterator>
#include <optional>

#include "links/interfaces/route_lookup.hh"
#include "tunnel/machine/relay_address.hh"

namespace tributary {
namespace {

bool begins_alike(bonding::ByteSpan address, bonding::ByteSpan network, std::size_t bytes) {
  return std::ranges::equal(address.first(bytes), network.first(bytes));
}

/// No address of this machine, no broadcast, and not where nothing may be sent to.
bool leads_away(const bonding::PeerAddress& to) {
  const std::optional<Route> route = route_to(ip_of(to).bytes());
  return route && route->kind == Route::Kind::kToOthers;
}

}  // namespace

SplitDestinations::SplitDestinations(const bonding::InnerNetwork& network, const std::vector<std::string>& refused)
    : network_{network} {
  std::ranges::transform(refused, std::back_inserter(refused_), IpNetwork::from);
}

bool SplitDestinations::allows(const bonding::PeerAddress& to) const {
  const bonding::ByteSpan address{to.address};
  const bool inner =
      is_ipv4(to) ? begins_alike(address.subspan(12), network_.ipv4, 2) : begins_alike(address, network_.ipv6, 8);
  if (inner) return false;
  const IpAddress ip = ip_of(to);
  const bool refused = std::ranges::any_of(refused_, [&](const IpNetwork& other) { return other.has(ip); });
  return !refused && leads_away(to);
}

}  // namespace tributary
