#pragma once

#include <optional>

struct nl_addr;
struct rtnl_link;

namespace tributary {

/// Whether an interface without hardware is a tunnel, and so may be the device of a VPN (tun, WireGuard, IPsec, GRE ...). A
/// TAP device, as labs and virtual machines have, and the cable of a container (veth, bridge, macvlan) are none.
bool is_of_tunnel(rtnl_link* link);

/// The index of the interface that leads to this address and to the whole internet of its family, as the kernel chooses
/// for everybody, with all its tables and rules. Nothing if several do, or none: a VPN that leads to some networks, or
/// beside which the address is reached on purpose, leaves links as they are.
std::optional<int> leading_device(nl_addr* address);

}  // namespace tributary
