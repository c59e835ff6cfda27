#pragma once

#include <deque>

#include "units/session_clock.hh"

namespace tributary {

/// Maps running time to the position in the presentation. The two differ by the place where playout began, by the
/// speeds, and by skipped segments.
class PlayoutTimeline {
 public:
  /// Running time zero is at `position`; each second plays `speed` seconds of the presentation.
  void restart(Duration position, double speed);
  /// Playout jumps from position `from` to position `to`, which may be the same, and goes on at this speed.
  void skip(Duration from, Duration to, double speed);

  Duration position(Duration running) const;
  /// Running time of the last skip, or of the beginning.
  Duration last_begins() const { return stretches_.back().running; }
  double last_speed() const { return stretches_.back().speed; }
  double speed(Duration running) const { return stretch_at(running).speed; }
  /// Running time at which playout is at the position, which is in the last stretch.
  Duration running(Duration position) const;

 private:
  struct Stretch {
    Duration running{}, position{};
    double speed = 1;
  };
  const Stretch& stretch_at(Duration running) const;

  std::deque<Stretch> stretches_{Stretch{}};  // at least one; sorted by time
};

}  // namespace tributary
