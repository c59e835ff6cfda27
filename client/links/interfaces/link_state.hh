#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "links/interfaces/link_monitor.hh"

namespace tributary {

/// The obstacle of a link that lacks nothing but a route.
inline constexpr std::string_view kLacksRoute = "no route to the origin";

/// The obstacle of a link that would take traffic out of a VPN. A user who names the link wants that.
inline constexpr std::string_view kBesideVpn = "a VPN leads all traffic";

/// One interface at one moment, as far as the origin is concerned: only the families of its addresses are filled in.
struct LinkState {
  struct Family {
    std::set<std::string> addresses;  // those that can be a source towards the origin
    bool has_route = false;
    std::string gateway;       // of the route with the least metric; empty if the route has no gateway
    std::uint32_t metric = 0;  // the least of all routes

    bool usable() const { return has_route && !addresses.empty(); }
    bool operator==(const Family&) const = default;
  };

  std::string name;
  unsigned interface_index = 0;
  LinkRole role = LinkRole::kUplink;
  std::string kind;
  bool up = false;
  bool carrier = false;
  Family ipv4, ipv6;
  bool is_vpn = false;     // may be the device of a VPN: a tunnel that is not ours
  std::string beside_vpn;  // another device, that of a VPN that leads all traffic to the origin; empty: there is none

  LinkInfo info() const;
  /// The reason why the link cannot reach the origin: the first of "interface down", "no carrier", "no address", "no
  /// route to the origin", "a VPN leads all traffic" that holds. Nothing if the link is usable.
  std::optional<std::string_view> obstacle() const;
};

using LinkStates = std::map<std::string, LinkState>;  // by name

/// The notices that a change of the interfaces makes necessary. If the connections of a usable link cannot have
/// survived, it is told as lost and back: another device of the same name, or none of its addresses left.
std::vector<LinkChangeNotice> changes_between(const LinkStates& before, const LinkStates& after);

}  // namespace tributary
