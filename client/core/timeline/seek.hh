#pragma once

#include "core/event.hh"

namespace tributary {

struct SessionState;

/// Playout goes on elsewhere, and perhaps with another sound. Segments that are wanted there go on being received;
/// others are dropped, and links are told to end what would keep them busy for nothing.
void take_in(const event::SeekRequested& e, SessionState& s);

}  // namespace tributary
