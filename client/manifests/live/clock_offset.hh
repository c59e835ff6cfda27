#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// How far the origin's clock is ahead of ours. The Date of a response has whole seconds, so each one gives only limits
/// of the offset; many of them leave little room. A service of time states more digits.
class ClockOffset {
 public:
  /// Adds an answer that the origin dated `date`; we sent its request at `sent` and got it at `received`. All are times
  /// since the same moment, each by its own clock. `step`: that of the digits of `date`, which are cut off.
  void add(Duration date, Duration sent, Duration received, Duration step = std::chrono::seconds{1}) {
    const Duration least = date - received;
    const Duration most = date + step - sent;
    const bool contradicts = known_ && (least > most_ || most < least_);  // one of the clocks was set
    least_ = known_ && !contradicts ? std::max(least, least_) : least;
    most_ = known_ && !contradicts ? std::min(most, most_) : most;
    known_ = true;
  }

  /// Zero before the first answer.
  Duration estimate() const { return known_ ? (least_ + most_) / 2 : Duration::zero(); }
  /// By this one, the origin has not come further than it really has.
  Duration least() const { return known_ ? least_ : Duration::zero(); }

 private:
  bool known_ = false;
  Duration least_{}, most_{};
};

}  // namespace tributary
