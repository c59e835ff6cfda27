#pragma once

#include <algorithm>
#include <optional>

#include "bonding/windows/delay_estimate.hh"

namespace tributary::bonding {

/// How long packets are on their way over one path, beyond or below some time that is the same for all paths: clocks of two
/// machines tell no more. So only differences between paths mean anything.
class PathDelay {
 public:
  void sample(Duration delay, TimePoint now) {
    estimate_.sample(delay);
    if (now - since_ > kWindow) {
      longest_before_ = longest_;
      longest_.reset();
      since_ = now;
    }
    longest_ = std::max(longest_.value_or(delay), delay);
  }

  /// Nearly all packets are there after this long: RFC 6298's time-out, or the longest delay of the last one or two
  /// seconds, if that is more. Nothing before the first packet.
  std::optional<Duration> bound() const {
    const auto bound = estimate_.time_out();
    if (!bound) return std::nullopt;
    return std::max({*bound, longest_.value_or(*bound), longest_before_.value_or(*bound)});
  }

 private:
  static constexpr Duration kWindow = std::chrono::seconds{1};

  DelayEstimate estimate_{std::chrono::milliseconds{5}};
  std::optional<Duration> longest_, longest_before_;
  TimePoint since_{};
};

}  // namespace tributary::bonding
