#pragma once

#include <chrono>

#include "units/whole_number.hh"

namespace tributary {

/// The clock of one session; its epoch is the start of the session. It has no now(): time is an argument. The driver of
/// the session reads it once per wake-up, so every decision can be repeated in virtual time.
struct SessionClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SessionClock>;
  static constexpr bool is_steady = true;
};

using Duration = SessionClock::duration;
using TimePoint = SessionClock::time_point;

constexpr double to_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
constexpr double to_seconds(TimePoint t) { return to_seconds(t.time_since_epoch()); }

/// Rounds to the nearest nanosecond.
constexpr Duration from_seconds(double s) { return Duration{whole_number(s * 1e9 + (s < 0 ? -0.5 : 0.5))}; }

}  // namespace tributary
