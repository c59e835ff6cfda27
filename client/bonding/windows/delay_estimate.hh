#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary::bonding {

/// A delay and how much it varies, as RFC 6298 has it for round trips. The thesis has it for one-way delays as well
/// (thesis section 5.1.1).
class DelayEstimate {
 public:
  DelayEstimate() = default;
  /// For a delay that has an unknown part: the first one tells nothing of how much it varies.
  explicit DelayEstimate(Duration first_variation) : first_variation_{first_variation} {}

  void sample(Duration delay) {
    if (!smoothed_) {
      smoothed_ = delay;
      variation_ = first_variation_.value_or(delay / 2);
      return;
    }
    const Duration error = delay > *smoothed_ ? delay - *smoothed_ : *smoothed_ - delay;
    variation_ += (error - variation_) / 4;
    *smoothed_ += (delay - *smoothed_) / 8;
  }

  /// Nothing before the first sample.
  std::optional<Duration> smoothed() const { return smoothed_; }
  /// RFC 6298's retransmission time-out, with a granularity of 1 ms and without a least value: its least of 1 s would be
  /// many times the delay that is waited for here. Nothing before the first sample.
  std::optional<Duration> time_out() const {
    constexpr Duration kGranularity = std::chrono::milliseconds{1};
    if (!smoothed_) return std::nullopt;
    return *smoothed_ + std::max(kGranularity, 4 * variation_);
  }

 private:
  std::optional<Duration> first_variation_, smoothed_;
  Duration variation_{};
};

}  // namespace tributary::bonding
