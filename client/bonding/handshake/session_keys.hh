#pragma once

#include "bonding/wire/secret.hh"

namespace tributary::bonding {

/// The keys of one generation of a connection, one for each direction.
struct SessionKeys {
  SessionKey send, receive;
};

/// The keys of the connections of TCP that belong to a connection of datagrams. They are others than its own, so that no
/// number of a record is that of a datagram.
SessionKeys record_keys(const SessionKeys& of_datagrams);

}  // namespace tributary::bonding
