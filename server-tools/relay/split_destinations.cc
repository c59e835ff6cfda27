#include "relay/split_destinations.hh"

#include <algorithm>
#include <optional>
#include <utility>

#include "links/interfaces/route_lookup.hh"
#include "links/network_prefix.hh"
#include "tunnel/machine/relay_address.hh"

namespace tributary {
namespace {

bool begins_alike(bonding::ByteSpan address, bonding::ByteSpan network, std::size_t bytes) {
  return std::ranges::equal(address.first(bytes), network.first(bytes));
}

/// No address of this machine, no broadcast, and not where nothing may be sent to.
bool leads_away(const bonding::PeerAddress& to) {
  const bonding::ByteSpan address{to.address};
  const std::optional<Route> route = route_to(is_ipv4(to) ? address.subspan(12) : address);
  return route && route->kind == Route::Kind::kToOthers;
}

}  // namespace

SplitDestinations::SplitDestinations(const bonding::InnerNetwork& network, std::vector<std::string> refused)
    : network_{network}, refused_{std::move(refused)} {}

bool SplitDestinations::allows(const bonding::PeerAddress& to) const {
  const bonding::ByteSpan address{to.address};
  const bool inner =
      is_ipv4(to) ? begins_alike(address.subspan(12), network_.ipv4, 2) : begins_alike(address, network_.ipv6, 8);
  if (inner) return false;
  const std::string text = address_text(to);
  const bool refused =
      std::ranges::any_of(refused_, [&](const std::string& network) { return is_within(text, network); });
  return !refused && leads_away(to);
}

}  // namespace tributary
