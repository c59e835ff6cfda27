#pragma once

#include "units/session_clock.hh"

namespace tributary {

/// Known when the speed of a live stream is chosen.
struct LiveSituation {
  Duration latency{};  // of what plays now
  Duration target{};   // with what the user accepts: a pause, a seek
  Duration ahead{};    // media that is here and has not been played
  Duration segment{};  // duration of the segments that are published
};

}  // namespace tributary
