#pragma once

#include <vector>

#include "bonding/inner/tcp_segment.hh"
#include "bonding/stage/link_pipes.hh"

namespace tributary::bonding::testing {

/// A segment between the sender 192.0.2.1:80 and the receiver 198.51.100.2:4000, as a packet of IPv4.
struct MadeSegment {
  Heading heading = Heading::kToReceiver;
  std::uint8_t flags = TcpSegment::kAck;
  std::uint32_t sequence = 1, acknowledgment = 1, length = 0;
  std::uint16_t window = 500, receiver_port = 4000;
};

inline Bytes packet_of(const MadeSegment& made) {
  constexpr std::uint32_t kSender = 0xc0000201, kReceiver = 0xc6336402;
  const bool to_receiver = made.heading == Heading::kToReceiver;
  Bytes packet(40 + made.length);
  const TcpSegment segment{.ipv6 = false, .tcp = 20, .payload = 40};
  write_number(packet, 0, 1, 0x45);
  write_number(packet, 8, 2, 64U << 8 | 6);
  write_number(packet, 12, 4, to_receiver ? kSender : kReceiver);
  write_number(packet, 16, 4, to_receiver ? kReceiver : kSender);
  write_number(packet, 20, 2, to_receiver ? 80 : made.receiver_port);
  write_number(packet, 22, 2, to_receiver ? made.receiver_port : 80);
  write_number(packet, 24, 4, made.sequence);
  write_number(packet, 28, 4, made.acknowledgment);
  write_number(packet, 32, 1, 0x50);
  write_number(packet, 33, 1, made.flags);
  write_number(packet, 34, 2, made.window);
  segment.write_length(packet);
  segment.write_checksum(packet);
  return packet;
}

}  // namespace tributary::bonding::testing
