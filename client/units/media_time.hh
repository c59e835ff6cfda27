#pragma once

#include "units/session_clock.hh"

namespace tributary {

/// A position on the timeline of the presentation, which stands still in a stall. It cannot be compared with a
/// TimePoint. Lengths on both timelines are Durations.
struct MediaClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MediaClock>;
  static constexpr bool is_steady = false;
};

using MediaTime = MediaClock::time_point;

constexpr double to_seconds(MediaTime t) { return to_seconds(t.time_since_epoch()); }

}  // namespace tributary
