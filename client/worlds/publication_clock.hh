#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// Decides when to look for the next segment of a live presentation: when it is due, and as much later as the segments
/// before it have come; if it is not there then, again and again at ever longer intervals. Times are since the start of
/// the session.
class PublicationClock {
 public:
  /// A segment with this duration will be over, by the timeline, at `due`. A clock that is wrong must not keep us waiting
  /// for long from now on.
  void expect(TimePoint due, Duration duration, TimePoint now) {
    due_ = due;
    latest_ = now + 2 * duration;
    duration_ = duration;
    misses_ = 0;
  }
  /// A look that began at `at` has found it.
  void found(TimePoint at) {
    if (misses_ == 0) {
      delay_ = delay_ * 7 / 8;  // it may have been there for a while
    } else {
      delay_ = std::clamp(at - due_, Duration::zero(), duration_);
    }
  }
  /// A look that ended now has not.
  void missed(TimePoint now) {
    ++misses_;
    const Duration shortest = std::max<Duration>(duration_ / 20, std::chrono::milliseconds{20});
    const Duration longest = std::max<Duration>(duration_ / 2, shortest);
    again_ = now + std::min(shortest * (1 << std::min(misses_ / 4, 6)), longest);
  }

  TimePoint next_look() const { return misses_ > 0 ? again_ : std::min(due_ + delay_, latest_); }

 private:
  TimePoint due_, latest_, again_;
  Duration duration_{std::chrono::seconds{1}};
  Duration delay_{};
  int misses_ = 0;
};

}  // namespace tributary
