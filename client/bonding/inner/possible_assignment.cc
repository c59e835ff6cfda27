#include "bonding/inner/possible_assignment.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr DataSize kLeastMtu4{576}, kLeastMtu6{1280}, kMostMtu{65'535};

constexpr unsigned value(std::byte byte) { return std::to_integer<unsigned>(byte); }

/// Not of this network, of this machine, link-local, for many machines, or reserved.
bool is_possible4(const std::array<std::byte, 4>& address) {
  const unsigned first = value(address[0]), second = value(address[1]);
  return first != 0 && first != 127 && !(first == 169 && second == 254) && first < 224;
}

/// Global or local to a site: neither unspecified, loopback, IPv4 in disguise, link-local, nor for many machines.
bool is_possible6(const std::array<std::byte, 16>& address) {
  const unsigned first = value(address[0]), second = value(address[1]);
  const bool link_local = first == 0xfe && (second & 0xc0) == 0x80;
  return first != 0 && first != 0xff && !link_local;
}

}  // namespace

bool is_possible(const Assignment& assignment) {
  const bool has_ipv6 = std::ranges::any_of(assignment.ipv6, [](std::byte byte) { return byte != std::byte{}; });
  if (assignment.mtu < (has_ipv6 ? kLeastMtu6 : kLeastMtu4) || assignment.mtu > kMostMtu) return false;
  return is_possible4(assignment.ipv4) && (!has_ipv6 || is_possible6(assignment.ipv6));
}

}  // namespace tributary::bonding
