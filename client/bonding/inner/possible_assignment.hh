#pragma once

#include "bonding/handshake/handshake_datagrams.hh"

namespace tributary::bonding {

/// A client can have these addresses and this size of packets: no relay makes it give up an address by which it reaches
/// itself, all machines, or its neighbours.
bool is_possible(const Assignment& assignment);

}  // namespace tributary::bonding
