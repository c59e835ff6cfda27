#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary::bonding {

/// The least round trip of the last 10 to 20 seconds: the delay of a path without its queues.
class LeastDelay {
 public:
  void sample(Duration delay, TimePoint now) {
    if (now - since_ > kWindow) {
      before_ = least_;
      least_.reset();
      since_ = now;
    }
    least_ = std::min(least_.value_or(delay), delay);
  }
  std::optional<Duration> value() const {
    if (!least_ || !before_) return least_ ? least_ : before_;
    return std::min(*least_, *before_);
  }

 private:
  static constexpr Duration kWindow = std::chrono::seconds{10};
  std::optional<Duration> least_, before_;
  TimePoint since_{};
};

}  // namespace tributary::bonding
