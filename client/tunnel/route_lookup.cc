#include "tunnel/route_lookup.hh"

#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/route/route.h>

#include <memory>
#include <span>

#include "tunnel/relay_address.hh"

namespace tributary {

bool leads_away(const bonding::PeerAddress& to) {
  const std::unique_ptr<nl_sock, decltype(&nl_socket_free)> socket{nl_socket_alloc(), &nl_socket_free};
  if (!socket || nl_connect(socket.get(), NETLINK_ROUTE) < 0) return false;
  const auto bytes = is_ipv4(to) ? std::span{to.address}.subspan(12) : std::span{to.address};
  const std::unique_ptr<nl_addr, decltype(&nl_addr_put)> address{
      nl_addr_build(is_ipv4(to) ? AF_INET : AF_INET6, bytes.data(), bytes.size()), &nl_addr_put};
  rtnl_route* found = nullptr;
  if (rtnl_route_lookup(socket.get(), address.get(), &found) < 0) return false;
  const std::unique_ptr<rtnl_route, decltype(&rtnl_route_put)> route{found, &rtnl_route_put};
  return rtnl_route_get_type(route.get()) == RTN_UNICAST;
}

}  // namespace tributary
