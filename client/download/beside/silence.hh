#pragma once

#include <algorithm>
#include <chrono>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// For how long nothing of an object has come, and for how long that is borne.
class Silence {
 public:
  /// The longest silence of an origin that is not slow. A link of 100 ms and 5 % loss was silent for at most a third of
  /// a second (transport/sockets/progress_timer.hh). A link that takes long to connect takes as long for
  /// everything.
  static Duration patience(Duration turnaround) {
    return std::max<Duration>(std::chrono::milliseconds{350}, 2 * turnaround);
  }

  /// `here`: of the object, from an earlier run.
  Silence(Duration patience, DataSize here) : patience_{patience}, here_{here} {}

  /// True if something has come since the last call.
  bool note(DataSize here, TimePoint now) {
    if (here <= here_) return false;
    here_ = here;
    since_ = came_at_ = now;
    return true;
  }
  /// An answer was given up. The next one is asked for after twice the time.
  void answer_failed(TimePoint now) {
    since_ = now;
    patience_ *= 2;
  }

  /// A further answer is asked for then.
  TimePoint borne_until() const { return since_ + patience_; }
  /// A link that was lost for a while does not refuse anything.
  bool is_for_good(TimePoint now) const { return now >= came_at_ + std::chrono::seconds{10}; }

 private:
  Duration patience_;
  DataSize here_;
  TimePoint came_at_;  // the last byte
  TimePoint since_;    // and no answer was given up
};

}  // namespace tributary
