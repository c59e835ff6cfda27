#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace tributary::bonding {

/// From where a datagram came, or to where it goes. IPv4 as RFC 4291 maps it: ::ffff:a.b.c.d.
struct PeerAddress {
  std::array<std::byte, 16> address{};
  std::uint16_t port = 0;
  /// Ours, to which it came: a NAT lets nothing pass that comes from another one. All 0: whichever the system takes.
  std::array<std::byte, 16> own{};

  auto operator<=>(const PeerAddress&) const = default;
};

}  // namespace tributary::bonding
