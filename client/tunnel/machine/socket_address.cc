#include "tunnel/machine/socket_address.hh"

#include <netinet/in.h>

#include <cstring>

namespace tributary {

using bonding::PeerAddress;

socklen_t write_address(const PeerAddress& address, int family, sockaddr_storage& to) {
  to = {};
  if (family == AF_INET6) {
    auto& ipv6 = reinterpret_cast<sockaddr_in6&>(to);
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(address.port);
    std::memcpy(&ipv6.sin6_addr, address.address.data(), address.address.size());
    return sizeof ipv6;
  }
  auto& ipv4 = reinterpret_cast<sockaddr_in&>(to);
  ipv4.sin_family = AF_INET;
  ipv4.sin_port = htons(address.port);
  std::memcpy(&ipv4.sin_addr, address.address.data() + 12, 4);
  return sizeof ipv4;
}

PeerAddress read_address(const sockaddr& from) {
  PeerAddress address;
  if (from.sa_family == AF_INET6) {
    const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(from);
    std::memcpy(address.address.data(), &ipv6.sin6_addr, address.address.size());
    address.port = ntohs(ipv6.sin6_port);
  } else {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(from);
    address.address[10] = address.address[11] = std::byte{0xff};
    std::memcpy(address.address.data() + 12, &ipv4.sin_addr, 4);
    address.port = ntohs(ipv4.sin_port);
  }
  return address;
}

}  // namespace tributary
