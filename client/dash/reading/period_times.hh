#pragma once

#include <optional>
#include <vector>

#include "dash/mpd.hh"

namespace tributary::dash {

/// Gives each period its start and duration by the rules of ISO/IEC 23009-1 clause 5.3.2.1: `start` and `duration` of
/// `mpd.periods` are as stated before, and as they follow afterwards. A period that begins where the one before it
/// ends goes on from there; a first period without a start begins at zero, also in a dynamic MPD. A period that
/// would overlap the next one ends there. Throws MpdError with the place of the period.
void resolve_period_times(Mpd& mpd);

}  // namespace tributary::dash
