#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// The least delay of the last one to two windows of time: what a way takes without its queues.
class LeastDelay {
 public:
  explicit LeastDelay(Duration window) : window_{window} {}

  void sample(Duration delay, TimePoint now) {
    if (now - since_ > window_) {
      before_ = least_;
      least_.reset();
      since_ = now;
    }
    least_ = std::min(least_.value_or(delay), delay);
  }
  /// Nothing if it was never measured.
  std::optional<Duration> value() const {
    if (!least_ || !before_) return least_ ? least_ : before_;
    return std::min(*least_, *before_);
  }

 private:
  Duration window_;
  std::optional<Duration> least_, before_;
  TimePoint since_{};
};

}  // namespace tributary
