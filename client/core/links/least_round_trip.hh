#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// The least round trip of the last 20 to 40 seconds: the delay of the link, without its queues.
class LeastRoundTrip {
 public:
  void sample(Duration round_trip, TimePoint now) {
    if (now - since_ > kWindow) {
      before_ = least_;
      least_.reset();
      since_ = now;
    }
    least_ = std::min(least_.value_or(round_trip), round_trip);
  }
  /// 0 if it was never measured.
  Duration value() const {
    const Duration before = before_.value_or(Duration{});
    return least_ ? std::min(*least_, before_.value_or(*least_)) : before;
  }

 private:
  static constexpr Duration kWindow = std::chrono::seconds{20};
  std::optional<Duration> least_, before_;
  TimePoint since_;
};

}  // namespace tributary
