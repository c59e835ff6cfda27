#pragma once

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/bytes.hh"
#include "bonding/wire/identifiers.hh"

namespace tributary::bonding {

/// A datagram to be sent. The client has a socket for each path and one relay, so only the path means anything to it; to the
/// relay, which has one socket, only the address does.
struct OutgoingDatagram {
  PathId path{};
  PeerAddress to;
  Bytes bytes;
};

}  // namespace tributary::bonding
