#pragma once

#include <cstdint>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// How many packets a TCP sender may have in flight: CUBIC (RFC 9438) as in Linux. Slow start ends early when the round
/// trip grows (HyStart, RFC 9406 section 4.2); idle periods reduce the window (RFC 9293 section 3.8.6). Only counts
/// packets, and does not know them.
class CongestionWindow {
 public:
  double packets() const { return window_; }

  /// One packet has been acknowledged. `peak`: the most packets that were in flight lately. An unused window does not
  /// grow (RFC 7661): in slow start beyond twice the peak, later beyond the peak.
  void acknowledged(TimePoint now, Duration round_trip, double peak);
  /// Packets were lost. To be called once per window of data.
  void lost();
  void timed_out();
  /// The sender sends again after the time `idle`, during which nothing was in flight.
  void idle_ended(Duration idle, Duration timeout);

 private:
  bool slow_start() const { return window_ < threshold_; }
  void leave_slow_start_if_delayed(TimePoint now, Duration round_trip);
  void grow_cubic(TimePoint now, Duration round_trip);

  static constexpr double kInitialWindow = 10;
  double window_ = kInitialWindow;
  double threshold_ = 1e9;

  // CUBIC
  std::optional<TimePoint> epoch_;
  double seconds_to_regain_ = 0;  // time until the window is as before the loss: K, section 4.2
  double window_before_loss_ = 0;
  double reno_window_ = 0;

  // HyStart
  std::optional<Duration> least_round_trip_;
  std::optional<Duration> round_least_;
  TimePoint round_ends_;
  std::uint32_t round_samples_ = 0;
};

}  // namespace tributary
