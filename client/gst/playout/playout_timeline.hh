#pragma once

#include <deque>

#include "units/session_clock.hh"

namespace tributary {

/// Which place of the presentation is played at which running time. They differ by where playout began, by the speed,
/// and by the segments that were skipped.
class PlayoutTimeline {
 public:
  /// Running time is zero, and the position is played with so many seconds of it in a second.
  void restart(Duration position, double speed);
  /// After `from` comes `to`.
  void skip(Duration from, Duration to);

  Duration position(Duration running) const;
  /// Running time at which what follows the last skip begins.
  Duration last_begins() const { return stretches_.back().running; }
  double speed() const { return speed_; }

 private:
  struct Stretch {
    Duration running{}, position{};
  };
  std::deque<Stretch> stretches_{Stretch{}};  // at least one; in order
  double speed_ = 1;
};

}  // namespace tributary
