#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tributary::bonding {

/// Where the parts of an IP packet with a TCP segment are (RFC 791, 8200, 9293).
struct TcpSegment {
  // Within the header of TCP.
  static constexpr std::size_t kSequence = 4, kAcknowledgment = 8, kFlags = 13, kWindow = 14, kChecksum = 16;
  static constexpr std::uint8_t kFin = 0x01, kSyn = 0x02, kRst = 0x04, kPsh = 0x08, kAck = 0x10, kCwr = 0x80;

  bool ipv6 = false;
  std::size_t tcp = 0;      // offset of its header
  std::size_t payload = 0;  // offset of what it carries

  /// Nothing: it is another packet, a fragment, or broken.
  static std::optional<TcpSegment> in(std::span<const std::byte> packet);

  /// The sum over the pseudo header, for so many bytes of TCP; folded, in the byte order of the packet.
  std::uint16_t pseudo_sum(std::span<const std::byte> packet, std::size_t length) const;
  bool checksum_is_right(std::span<const std::byte> packet) const;
  void write_checksum(std::span<std::byte> packet) const;
  /// The length of the packet, and the checksum of its IPv4 header.
  void write_length(std::span<std::byte> packet) const;
};

std::uint32_t number_at(std::span<const std::byte> packet, std::size_t offset, std::size_t width);
void write_number(std::span<std::byte> packet, std::size_t offset, std::size_t width, std::uint32_t number);
/// A sum that is in the byte order of packets already.
void write_sum(std::span<std::byte> packet, std::size_t offset, std::uint16_t sum);

}  // namespace tributary::bonding
