#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

/// The number of a client within the relay's networks. The relay itself has number 1.
enum class HostNumber : std::uint16_t {};

/// Addresses inside of the tunnel: a network of IPv4 (/16) and one of IPv6 (/64), in which the last 16 bits are the number
/// of the host.
struct InnerNetwork {
  std::array<std::byte, 4> ipv4{std::byte{10}, std::byte{117}};
  // RFC 4193: a local prefix; this one is the relay's unless it is told another.
  std::array<std::byte, 16> ipv6{std::byte{0xfd}, std::byte{0x74}, std::byte{0x72}, std::byte{0x69}, std::byte{0x62}};

  bool offers_ipv6 = true;  // else clients get no address of IPv6

  /// Those in which a client has these addresses; of IPv6, it may have none.
  static InnerNetwork of(const std::array<std::byte, 4>& ipv4, const std::array<std::byte, 16>& ipv6) {
    InnerNetwork network{.ipv4 = ipv4, .ipv6 = ipv6, .offers_ipv6 = ipv6 != std::array<std::byte, 16>{}};
    std::fill(network.ipv4.begin() + 2, network.ipv4.end(), std::byte{});
    std::fill(network.ipv6.begin() + 8, network.ipv6.end(), std::byte{});
    return network;
  }

  std::array<std::byte, 4> ipv4_of(HostNumber host) const { return with_host(ipv4, host); }
  std::array<std::byte, 16> ipv6_of(HostNumber host) const { return with_host(ipv6, host); }
  /// Nothing if the address is in neither network.
  std::optional<HostNumber> host_of(ByteSpan address) const;

 private:
  template <typename Address>
  static Address with_host(Address address, HostNumber host) {
    address[address.size() - 2] = static_cast<std::byte>(static_cast<unsigned>(host) >> 8);
    address[address.size() - 1] = static_cast<std::byte>(static_cast<unsigned>(host));
    return address;
  }
};

/// Hands out numbers, the lowest free one first.
class AddressPool {
 public:
  static constexpr HostNumber kRelay{1};

  /// `most` numbers, from 2 on.
  explicit AddressPool(std::uint16_t most) : most_{most} {}

  /// Nothing if all are taken.
  std::optional<HostNumber> take();
  void give_back(HostNumber host) { taken_.erase(host); }

 private:
  std::uint16_t most_;
  std::set<HostNumber> taken_;
};

inline std::optional<HostNumber> InnerNetwork::host_of(ByteSpan address) const {
  if (address.size() != ipv4.size() && address.size() != ipv6.size()) return std::nullopt;
  const ByteSpan network = address.size() == ipv4.size() ? ByteSpan{ipv4} : ByteSpan{ipv6};
  const std::size_t prefix = address.size() - 2;
  if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(prefix), network.begin())) {
    return std::nullopt;
  }
  return static_cast<HostNumber>(ByteReader{address.subspan(prefix)}.number(2));
}

inline std::optional<HostNumber> AddressPool::take() {
  for (std::uint32_t number = 2; number < 2U + most_; ++number) {
    const auto host = static_cast<HostNumber>(number);
    if (taken_.insert(host).second) return host;
  }
  return std::nullopt;
}

}  // namespace tributary::bonding
