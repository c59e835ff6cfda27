#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace tributary::bonding {

/// The sum of RFC 1071, in the byte order of this machine: bytes may be added piece by piece, where each piece but the last has an
/// even length.
class InternetChecksum {
 public:
  void add(std::span<const std::byte> bytes) {
    while (bytes.size() >= sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      sum_ += word;
      bytes = bytes.subspan(sizeof word);
    }
    std::uint32_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    sum_ += rest;
  }
  /// A number of 16 bits, as it stands in a packet.
  void add_number(std::uint16_t number) { sum_ += static_cast<std::uint16_t>(number << 8 | number >> 8); }

  /// As it stands in a packet: copied, and not turned.
  std::uint16_t folded() const {
    std::uint64_t sum = sum_;
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
  }
  std::uint16_t complement() const { return static_cast<std::uint16_t>(~folded()); }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace tributary::bonding
