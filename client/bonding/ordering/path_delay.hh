#pragma once

#include <algorithm>
#include <optional>

#include "bonding/windows/delay_estimate.hh"
#include "bonding/wire/message.hh"

namespace tributary::bonding {

/// How long packets are on their way over one path: from when they left, by the sender's clock, until they came, by ours.
/// The difference of the two clocks is in it, and is the same for all paths. So only differences between paths mean
/// anything.
class PathDelay {
 public:
  void arrived(SentTime sent_at, TimePoint now) {
    const Duration delay = sent_time(now) - sent_at;
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

  DelayEstimate estimate_;
  std::optional<Duration> longest_, longest_before_;
  TimePoint since_{};
};

}  // namespace tributary::bonding
