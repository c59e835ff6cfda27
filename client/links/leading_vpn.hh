#pragma once

#include <optional>
#include <string_view>

struct nl_addr;
struct rtnl_link;

namespace tributary {

/// Whether an interface may be the device of a VPN: a tunnel in software (tun, WireGuard, IPsec, GRE ...). A modem (PPP,
/// raw IP), a TAP device, as labs and virtual machines have, the cable of a container (veth, bridge, macvlan) and a
/// tunnel of ours are none. `kind`: LinkInfo::kind.
bool may_be_vpn(rtnl_link* link, std::string_view kind);

/// The index of the interface that leads to this address and to the whole internet of its family, as the kernel chooses
/// for everybody, with all its tables and rules. Nothing if several do, or none: a VPN that leads to some networks, or
/// beside which the address is reached on purpose, leaves links as they are.
std::optional<int> leading_device(nl_addr* address);

}  // namespace tributary
