#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace tributary {

/// An address of IPv4 or IPv6, without a zone.
class IpAddress {
 public:
  /// Of "192.0.2.1", "2001:db8::1". Nothing: the text is none.
  static std::optional<IpAddress> from(const std::string& text);
  /// Of 4 or 16 bytes, in network order.
  explicit IpAddress(std::span<const std::byte> bytes);

  bool is_ipv6() const { return size_ == kIpv6; }
  std::span<const std::byte> bytes() const { return std::span{bytes_}.first(size_); }
  std::string text() const;

 private:
  static constexpr std::size_t kIpv4 = 4, kIpv6 = 16;
  explicit IpAddress(std::size_t size) : size_{size} {}

  std::array<std::byte, kIpv6> bytes_{};
  std::size_t size_;
};

/// The addresses that begin with the same bits.
class IpNetwork {
 public:
  /// Of an address with the length of its network: "192.0.2.7/24", "2001:db8::/32". Throws std::invalid_argument.
  static IpNetwork from(const std::string& text);

  bool has(const IpAddress& address) const;
  /// "192.0.2.0/24".
  std::string text() const;

 private:
  IpNetwork(const IpAddress& address, std::size_t length);

  IpAddress first_;
  std::size_t length_;
};

/// Of a text that is an address, or that of a network.
inline bool is_ipv6(const std::string& address) { return address.find(':') != std::string::npos; }
/// The network that the address is alone in, as text.
inline std::string network_of_one(const std::string& address) { return address + (is_ipv6(address) ? "/128" : "/32"); }

}  // namespace tributary
