#pragma once

#include <algorithm>

#include "units/session_clock.hh"

namespace tributary::bonding {

/// Lets one thing happen in each `gap` on average, and `burst` things at once.
class RateLimit {
 public:
  RateLimit(Duration gap, int burst) : gap_{gap}, most_{gap * burst} {}

  /// False: not now. Else it counts as done.
  bool take(TimePoint now) {
    const TimePoint since = std::max(used_until_, now - most_);
    if (since + gap_ > now) return false;
    used_until_ = since + gap_;
    return true;
  }

 private:
  Duration gap_, most_;
  TimePoint used_until_ = TimePoint::min();
};

}  // namespace tributary::bonding
