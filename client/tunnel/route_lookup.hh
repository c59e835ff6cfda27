#pragma once

#include "bonding/handshake/peer_address.hh"

namespace tributary {

/// The system has a route to another machine there: it is no address of this one, no broadcast, nor where nothing may be
/// sent to.
bool leads_away(const bonding::PeerAddress& to);

}  // namespace tributary
