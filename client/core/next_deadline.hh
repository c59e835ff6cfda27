#pragma once

#include <optional>

#include "units/session_clock.hh"

namespace tributary {

class RequestRound;
struct SessionState;

/// When a session that goes on has to look again, if nothing happens before; nothing: only an event can change
/// anything.
std::optional<TimePoint> next_deadline(const SessionState& s, const RequestRound& round);

}  // namespace tributary
