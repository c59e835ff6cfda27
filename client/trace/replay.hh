#pragma once

#include <span>
#include <string>

#include "core/world.hh"
#include "trace/session_trace.hh"

namespace tributary {

/// Runs a new session on the recorded events and holds its actions against the recorded ones. Returns nothing if all are
/// the same, otherwise the first difference in words. Observers see the new session.
std::optional<std::string> replay(const SessionTrace& trace, std::span<SessionObserver* const> observers);

}  // namespace tributary
