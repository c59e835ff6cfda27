#pragma once

#include <sys/socket.h>

#include "bonding/handshake/peer_address.hh"

namespace tributary {

/// As the system has it, for a socket of this family, AF_INET or AF_INET6. The first has only addresses of IPv4. Returns its
/// size.
socklen_t write_address(const bonding::PeerAddress& address, int family, sockaddr_storage& to);
bonding::PeerAddress read_address(const sockaddr& from);
inline bonding::PeerAddress read_address(const sockaddr_storage& from) {
  return read_address(reinterpret_cast<const sockaddr&>(from));
}

}  // namespace tributary
