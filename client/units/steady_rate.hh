#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Watches whether what connections carry still grows, window by window. A connection in slow start carries four times as
/// much in the next one (RFC 5681 section 3.1).
class SteadyRate {
 public:
  static Duration window(Duration round_trip) {
    return std::max<Duration>(2 * round_trip, std::chrono::milliseconds{100});
  }
  /// Bytes stand in the link's queue: it carries what it can. `least`: round trip.
  static bool is_full(Duration round_trip, Duration least) {
    return round_trip > least + least / 4 + std::chrono::milliseconds{8};
  }

  /// `carried`: since ever. `window` ends at the first call that is as late as that.
  void sample(DataSize carried, Duration window, TimePoint now) {
    if (!begin_) begin_window(carried, now);
    if (now - *begin_ < window) return;
    const DataRate rate = (carried - carried_) / (now - *begin_);
    if (!before_ || rate > kGrows * *before_) {
      steady_since_ = now;
      carried_when_steady_ = carried;
    }
    before_ = rate;
    begin_window(carried, now);
  }
  /// The rate since it grew last; nothing if that is not as long as a window.
  std::optional<DataRate> rate(DataSize carried, Duration window, TimePoint now) const {
    if (!steady_since_ || now - *steady_since_ < window) return std::nullopt;
    return (carried - carried_when_steady_) / (now - *steady_since_);
  }

 private:
  static constexpr double kGrows = 1.25;

  void begin_window(DataSize carried, TimePoint now) {
    begin_ = now;
    carried_ = carried;
  }

  std::optional<TimePoint> begin_;
  DataSize carried_;
  std::optional<DataRate> before_;  // of the window before
  std::optional<TimePoint> steady_since_;
  DataSize carried_when_steady_;
};

}  // namespace tributary
