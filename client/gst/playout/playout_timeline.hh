#pragma once

#include <deque>

#include "units/session_clock.hh"

namespace tributary {

/// Maps running time to the position in the presentation. The two differ by the place where playout began, by the
/// speed, and by skipped segments.
class PlayoutTimeline {
 public:
  /// Running time zero is at `position`; each second plays `speed` seconds of the presentation.
  void restart(Duration position, double speed);
  /// Playout jumps from position `from` to position `to`.
  void skip(Duration from, Duration to);

  Duration position(Duration running) const;
  /// Running time of the last skip, or of the beginning.
  Duration last_begins() const { return stretches_.back().running; }
  double speed() const { return speed_; }

 private:
  struct Stretch {
    Duration running{}, position{};
  };
  std::deque<Stretch> stretches_{Stretch{}};  // at least one; sorted by time
  double speed_ = 1;
};

}  // namespace tributary
