#pragma once

#include "presentation/presentation.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The presentation as an origin has it that publishes each segment bit by bit while it makes it: segments become ranges of
/// their files, which last `longest` at the most, are as long as each other, and have as many bytes. The first range of a
/// segment continues no other one. For experiments: where frames begin does not matter. Throws std::invalid_argument if
/// sizes are estimates.
Presentation in_partial_segments(const Presentation& presentation, Duration longest);

}  // namespace tributary
