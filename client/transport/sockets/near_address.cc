#include "transport/sockets/near_address.hh"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <cstddef>
#include <optional>
#include <span>

#include "links/interfaces/route_lookup.hh"
#include "system/file_descriptor.hh"

namespace tributary::transport {
namespace {

std::span<const std::byte> bytes_of(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in&>(address).sin_addr, 1});
  return std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 1});
}

/// A VPN takes the internet in two halves of IPv4, or as 2000::/3 of IPv6.
bool leads_everywhere(const Route& route, bool ipv4) { return route.prefix_length <= (ipv4 ? 1 : 3); }

/// Whether frames on the device are addressed to neighbours: not so in a tunnel, nor in a modem.
bool has_neighbours(int device) {
  ifreq request{};
  if (if_indextoname(static_cast<unsigned>(device), request.ifr_name) == nullptr) return true;
  const FileDescriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  const bool known = socket.is_open() && ioctl(socket.get(), SIOCGIFFLAGS, &request) == 0;
  return !known || (request.ifr_flags & (IFF_POINTOPOINT | IFF_NOARP)) == 0;
}

bool leads_near(const Route& route, bool ipv4) {
  if (route.kind == Route::Kind::kHere) return true;
  return route.kind == Route::Kind::kToOthers && !route.has_router && !leads_everywhere(route, ipv4) &&
         has_neighbours(route.device);
}

}  // namespace

bool is_near(const sockaddr& address, const std::string& link) {
  const auto leads_near_through = [&](int device) {
    const std::optional<Route> route = route_to(bytes_of(address), device);
    return route && leads_near(*route, address.sa_family == AF_INET);
  };
  const auto device = static_cast<int>(link.empty() ? 0 : if_nametoindex(link.c_str()));
  return leads_near_through(0) || (device != 0 && leads_near_through(device));
}

}  // namespace tributary::transport
