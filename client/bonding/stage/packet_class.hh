#pragma once

#include "bonding/stage/tcp_packet.hh"

namespace tributary::bonding {

/// Which part of the stage a segment is for.
enum class PacketClass {
  kRequest,         // a connection is asked for: SYN without ACK
  kConfirmation,    // and confirmed: SYN with ACK
  kRelease,         // FIN or RST; it may carry data as well
  kData,            // to the receiver
  kAcknowledgment,  // to the sender, whatever it carries besides
  kOther,           // to the receiver, and without data
};

constexpr PacketClass class_of(const TcpPacket& packet, Heading heading) {
  if (packet.syn) return packet.ack ? PacketClass::kConfirmation : PacketClass::kRequest;
  if (packet.fin || packet.rst) return PacketClass::kRelease;
  if (heading == Heading::kToSender) return PacketClass::kAcknowledgment;
  return packet.length > 0 ? PacketClass::kData : PacketClass::kOther;
}

}  // namespace tributary::bonding
