#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// How far the origin's clock is ahead of ours. The Date of a response has whole seconds, so each one gives only limits
/// of the offset; many of them leave little room.
class ClockOffset {
 public:
  /// Adds an answer that the origin dated `date`; we sent its request at `sent` and got it at `received`. All are times
  /// since the same moment, each by its own clock.
  void add(Duration date, Duration sent, Duration received) {
    const Duration least = date - received;
    const Duration most = date + std::chrono::seconds{1} - sent;
    const bool contradicts = known_ && (least > most_ || most < least_);  // one of the clocks was set
    least_ = known_ && !contradicts ? std::max(least, least_) : least;
    most_ = known_ && !contradicts ? std::min(most, most_) : most;
    known_ = true;
  }

  /// Zero before the first answer.
  Duration estimate() const { return known_ ? (least_ + most_) / 2 : Duration::zero(); }

 private:
  bool known_ = false;
  Duration least_{}, most_{};
};

}  // namespace tributary
