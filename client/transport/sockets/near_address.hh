#pragma once

#include <sys/socket.h>

#include <string>

namespace tributary::transport {

/// Whether the routing tables lead to an address without a router: it is one of this machine, of a neighbour in one of its
/// networks, or of a group of receivers. Asks for the routing table's choice, and for the route through `link` (empty:
/// only the former). An address that nothing leads to is not near. A default route without a router, as those of tunnels
/// and modems are, leads to the internet; so does any route through a device that knows no neighbours.
bool is_near(const sockaddr& address, const std::string& link);

}  // namespace tributary::transport
