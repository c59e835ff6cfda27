#include "tunnel/machine/device_network.hh"

#include <fmt/format.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/route.h>

#include <optional>
#include <stdexcept>

#include "links/interfaces/link_kind.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

void check(int code, const std::string& what) {
  if (code < 0) throw std::runtime_error{fmt::format("{}: {}", what, nl_geterror(code))};
}

struct Put {
  void operator()(rtnl_addr* address) const { rtnl_addr_put(address); }
  void operator()(rtnl_link* link) const { rtnl_link_put(link); }
  void operator()(rtnl_route* route) const { rtnl_route_put(route); }
  void operator()(nl_addr* address) const { nl_addr_put(address); }
};
template <typename Object>
using Owned = std::unique_ptr<Object, Put>;

Owned<nl_addr> parsed(const std::string& text) {
  nl_addr* address = nullptr;
  check(nl_addr_parse(text.c_str(), AF_UNSPEC, &address), text);
  return Owned<nl_addr>{address};
}

Owned<rtnl_addr> address_of(int device, const std::string& text) {
  Owned<rtnl_addr> address{rtnl_addr_alloc()};
  rtnl_addr_set_ifindex(address.get(), device);
  check(rtnl_addr_set_local(address.get(), parsed(text).get()), text);
  if (is_ipv6(text)) rtnl_addr_set_flags(address.get(), IFA_F_NODAD);  // nobody else is there
  return address;
}

/// The system has IPv6 switched off, at least for this device.
bool lacks_ipv6(int code, const std::string& text) {
  return is_ipv6(text) && (code == -NLE_OPNOTSUPP || code == -NLE_PERM || code == -NLE_NOACCESS ||
                           code == -NLE_AF_NOSUPPORT || code == -NLE_NODEV);
}

}  // namespace

void DeviceNetwork::Close::operator()(nl_sock* socket) const { nl_socket_free(socket); }

DeviceNetwork::DeviceNetwork(const std::string& device)
    : index_{static_cast<int>(::if_nametoindex(device.c_str()))}, socket_{nl_socket_alloc()} {
  if (index_ == 0) throw std::runtime_error{device + ": there is no such device"};
  check(nl_connect(socket_.get(), NETLINK_ROUTE), "rtnetlink");
}

void DeviceNetwork::set(const std::vector<std::string>& addresses, DataSize mtu) {
  for (const std::string& address : addresses_) rtnl_addr_delete(socket_.get(), address_of(index_, address).get(), 0);
  addresses_.clear();
  const Owned<rtnl_link> before{rtnl_link_alloc()}, link{rtnl_link_alloc()};
  rtnl_link_set_ifindex(before.get(), index_);
  rtnl_link_set_mtu(link.get(), static_cast<unsigned>(mtu.bytes()));
  rtnl_link_set_flags(link.get(), IFF_UP);
  rtnl_link_set_ifalias(link.get(), kTunnelAlias);
  check(rtnl_link_change(socket_.get(), before.get(), link.get(), 0), "bring the device up");
  for (const std::string& address : addresses) {
    const int code = rtnl_addr_add(socket_.get(), address_of(index_, address).get(), NLM_F_REPLACE);
    if (lacks_ipv6(code, address)) continue;
    check(code, "give the device the address " + address);
    addresses_.push_back(address);
  }
}

void DeviceNetwork::join(int group) {
  const Owned<rtnl_link> before{rtnl_link_alloc()}, link{rtnl_link_alloc()};
  rtnl_link_set_ifindex(before.get(), index_);
  rtnl_link_set_group(link.get(), group);
  check(rtnl_link_change(socket_.get(), before.get(), link.get(), 0), "give the device its group");
}

void DeviceNetwork::lead_here(const std::string& network) {
  if (network == "0.0.0.0/0") {
    add_route("0.0.0.0/1");
    add_route("128.0.0.0/1");
  } else if (network == "::/0") {
    add_route("::/1");
    add_route("8000::/1");
  } else {
    add_route(network);
  }
}

void DeviceNetwork::add_route(const std::string& network) {
  const Owned<nl_addr> destination = parsed(network);
  const Owned<rtnl_route> route{rtnl_route_alloc()};
  check(rtnl_route_set_dst(route.get(), destination.get()), network);
  rtnl_route_set_scope(route.get(),
                       nl_addr_get_family(destination.get()) == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE);
  rtnl_nexthop* hop = rtnl_route_nh_alloc();
  rtnl_route_nh_set_ifindex(hop, index_);
  rtnl_route_add_nexthop(route.get(), hop);
  const int code = rtnl_route_add(socket_.get(), route.get(), NLM_F_REPLACE);
  if (!lacks_ipv6(code, network)) check(code, "lead " + network + " to the tunnel");
}

}  // namespace tributary
