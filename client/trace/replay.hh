#pragma once

#include <span>
#include <string>

#include "core/world.hh"
#include "trace/session_trace.hh"

namespace tributary {

/// A new session, in the state in which the trace began.
Session recorded_session(const SessionTrace& trace);
/// Runs `session` on the recorded events and compares its actions with the recorded ones. Returns the first difference
/// in words; nothing if there is none.
std::optional<std::string> replay(const SessionTrace& trace, Session& session,
                                  std::span<SessionObserver* const> observers = {});

}  // namespace tributary
