#pragma once

#include "core/event.hh"

namespace tributary {

struct SessionState;

/// Segments that came by other means are no longer requested: they are dropped, and links are told to end answers that
/// nobody wants. Only a download can miss segments so.
void take_in(const event::RestArrived& e, SessionState& s);

}  // namespace tributary
