#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// The last round trip of a link. The system tells a smoothed one, in which each round trip counts an eighth (RFC 6298
/// section 2.3), and a receiver has one for each request. A link that was slow for a moment would seem slow for a
/// minute. While the smoothed value falls, the last round trip follows from it, and counts where it is below a quarter.
/// Else the smoothed value is right: round trips differ as queues do.
class LastRoundTrip {
 public:
  /// `least`: no round trip was shorter.
  void sample(Duration smoothed, Duration least) {
    constexpr int kOthers = 7, kFar = 4;
    const Duration fell = std::max(before_.value_or(smoothed) - smoothed, Duration::zero());
    const Duration last = std::max(smoothed - kOthers * fell, std::min(least, smoothed));
    last_ = last * kFar < smoothed ? last : smoothed;
    before_ = smoothed;
  }
  /// 0 if it was never measured.
  Duration value() const { return last_; }

 private:
  std::optional<Duration> before_;
  Duration last_{};
};

}  // namespace tributary
