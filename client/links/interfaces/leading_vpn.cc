#include "links/interfaces/leading_vpn.hh"

#include <linux/if_arp.h>
#include <netlink/addr.h>
#include <netlink/route/link.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "links/interfaces/link_snapshot.hh"
#include "links/interfaces/route_lookup.hh"

namespace tributary {
namespace {

/// In both halves of each internet, and far from each other. Nothing is sent there.
constexpr std::array<const char*, 4> kSamples4{"9.0.0.1", "78.0.0.1", "150.0.0.1", "203.0.113.1"};
constexpr std::array<const char*, 3> kSamples6{"2001:db8::1", "2600::1", "2a00::1"};

std::optional<int> device_to(const nl_addr* address) {
  const auto* const bytes = static_cast<const std::byte*>(nl_addr_get_binary_addr(address));
  const std::optional<Route> route = route_to({bytes, nl_addr_get_len(address)});
  return route && route->device != 0 ? std::optional{route->device} : std::nullopt;
}

}  // namespace

bool is_of_tunnel(rtnl_link* link) {
  constexpr std::array kTunnels{ARPHRD_NONE, ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE, ARPHRD_IP6GRE};
  return std::ranges::find(kTunnels, static_cast<int>(rtnl_link_get_arptype(link))) != kTunnels.end();
}

std::optional<int> leading_device(nl_addr* address) {
  const std::optional<int> leading = device_to(address);
  const auto leads_to = [&](const char* sample) {
    nl_addr* parsed = nullptr;
    if (nl_addr_parse(sample, AF_UNSPEC, &parsed) < 0) return false;
    const NlAddress owned{parsed};
    return device_to(parsed) == leading;
  };
  const bool everywhere = nl_addr_get_family(address) == AF_INET ? std::ranges::all_of(kSamples4, leads_to)
                                                                 : std::ranges::all_of(kSamples6, leads_to);
  return everywhere ? leading : std::nullopt;
}

}  // namespace tributary
