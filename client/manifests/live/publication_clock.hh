#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// Decides when to look for the next segment of a live presentation: when the segment is due, plus the delay of earlier
/// segments. If the segment is missing then, looks again at ever longer intervals. Times are since the start of the
/// session.
class PublicationClock {
 public:
  /// A segment with this duration will end, by the timeline, at `due`. The one before exists now, so the segment ends
  /// at most a duration later. If `due` is later, a clock is wrong; the next look is then a little sooner than a
  /// duration from now, because we may be late already.
  void expect(TimePoint due, Duration duration, TimePoint now) {
    due_ = due <= now + duration ? due : now + duration * 7 / 8;
    duration_ = duration;
    misses_ = 0;
  }
  /// A look that began at `at` has found the segment.
  void found(TimePoint at) {
    if (misses_ == 0) {
      delay_ = delay_ * 7 / 8;  // the segment may have existed for a while
    } else {
      delay_ = std::clamp(at - due_, Duration::zero(), duration_);
    }
  }
  /// A look that ended now has not found the segment.
  void missed(TimePoint now) {
    ++misses_;
    const Duration shortest = std::max<Duration>(duration_ / 20, std::chrono::milliseconds{20});
    const Duration longest = std::max<Duration>(duration_ / 2, shortest);
    again_ = now + std::min(shortest * (1 << std::min(misses_ / 4, 6)), longest);
  }

  TimePoint next_look() const { return misses_ > 0 ? again_ : due_ + delay_; }

 private:
  TimePoint due_, again_;
  Duration duration_{std::chrono::seconds{1}};
  Duration delay_{};
  int misses_ = 0;
};

}  // namespace tributary
