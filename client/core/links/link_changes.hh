#pragma once

#include "core/event.hh"

namespace tributary {

struct SessionState;

/// The consequences of news of a link.
void take_in(const event::LinkUp& e, SessionState& s);
void take_in(const event::LinkDown& e, SessionState& s);
/// A link that is switched off ends its requests.
void take_in(const event::LinkUseChanged& e, SessionState& s);
void take_in(const event::RoundTripMeasured& e, SessionState& s);

}  // namespace tributary
