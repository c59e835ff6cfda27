#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

/// To which end of a connection a packet goes.
enum class Heading { kToReceiver, kToSender };

/// A connection of TCP by its two ends: the pipes are between us and the receiver of its data.
struct TcpConnection {
  PeerAddress sender, receiver;

  auto operator<=>(const TcpConnection&) const = default;
};

/// What the headers of a packet say that carries a segment of TCP.
struct TcpPacket {
  PeerAddress source, destination;
  bool syn = false, ack = false, fin = false, rst = false;
  std::uint32_t sequence = 0, acknowledgment = 0, length = 0;  // of what it carries
  std::uint16_t window = 0;

  /// Nothing: it is another packet, a fragment, or broken.
  static std::optional<TcpPacket> read(ByteSpan packet);

  TcpConnection connection(Heading heading) const {
    return heading == Heading::kToReceiver ? TcpConnection{source, destination} : TcpConnection{destination, source};
  }
};

}  // namespace tributary::bonding
