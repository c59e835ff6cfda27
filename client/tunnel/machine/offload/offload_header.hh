#pragma once

#include <cstdint>

namespace tributary {

/// What stands before each packet that is exchanged with a device (virtio 1.2, section 5.1.6; the header of Linux itself is none
/// of C++). Numbers are in the byte order of the machine.
struct OffloadHeader {
  static constexpr std::uint8_t kNeedsChecksum = 1;                                           // flags
  static constexpr std::uint8_t kOnePacket = 0, kTcpOfIpv4 = 1, kTcpOfIpv6 = 4, kEcn = 0x80;  // type

  std::uint8_t flags = 0, type = kOnePacket;
  std::uint16_t headers = 0;                             // their length, in bytes
  std::uint16_t segment_size = 0;                        // that of the payload of all segments but the last
  std::uint16_t checksum_from = 0, checksum_offset = 0;  // where its bytes begin, and where it stands behind that
};
static_assert(sizeof(OffloadHeader) == 10);

}  // namespace tributary
