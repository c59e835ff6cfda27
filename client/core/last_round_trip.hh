#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// The round trip of a link as it was when a request was done last. What the system tells is smoothed: each round trip counts an
/// eighth (RFC 6298 section 2.3), and who receives has few, one for each request. So a link that was slow for a moment would seem
/// to be slow for a minute. While the average falls, what the last one was follows from it; where that is far less, the
/// average says nothing of the link any more. Elsewhere the average is right: round trips differ as queues do.
class LastRoundTrip {
 public:
  /// `least`: none was shorter.
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
