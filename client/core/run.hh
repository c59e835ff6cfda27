#pragma once

#include <span>

#include "core/session.hh"
#include "core/world.hh"

namespace tributary {

/// Joins a session to its world until the session is finished. Observers see every event before the session
/// does, and every action before the world does.
void run(Session& session, World& world, std::span<SessionObserver* const> observers);

}  // namespace tributary
