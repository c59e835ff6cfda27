#pragma once

#include <span>
#include <string>

#include "core/world.hh"
#include "trace/session_trace.hh"

namespace tributary {

/// The session as it was when the trace began.
Session recorded_session(const SessionTrace& trace);
/// Runs that session on the recorded events and holds its actions against the recorded ones. Returns nothing if all are
/// the same, otherwise the first difference in words.
std::optional<std::string> replay(const SessionTrace& trace, Session& session,
                                  std::span<SessionObserver* const> observers = {});

}  // namespace tributary
