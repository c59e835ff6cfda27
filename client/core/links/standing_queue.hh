#pragma once

#include <chrono>
#include <optional>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"
#include "units/steady_rate.hh"

namespace tributary {

/// Tells by round trips for how long a link's queue has been empty, and for how long bytes have stood in it. Between both,
/// nothing is sure: a queue that others fill may have been there before the least round trip was measured.
class StandingQueue {
 public:
  /// `least`: round trip. `measured`: when it was, last. `carried`: by the link, since ever.
  void sample(Duration round_trip, Duration least, TimePoint measured, DataSize carried, TimePoint now) {
    const bool again = measured != measured_;
    measured_ = measured;
    if (round_trip > least + least / 32 + kOfAnEmptyQueue) {
      empty_since_.reset();
      measured_empty_ = 0;
    } else {
      if (!empty_since_) empty_since_ = now;
      if (again) ++measured_empty_;
    }
    if (round_trip <= least + least / 8 + kOfAnEmptyQueue) {
      stands_since_.reset();
    } else if (!stands_since_) {
      stands_since_ = now;
      carried_ = carried;
    }
    if (SteadyRate::is_full(round_trip, least))
      room_since_.reset();
    else if (!room_since_)
      room_since_ = now;
  }

  bool is_empty_for(Duration length, TimePoint now) const { return is_since(empty_since_, length, now); }
  /// Nothing else was measured for that long, and it was measured often enough to know: each time is an eighth of the
  /// smoothed round trip (RFC 6298 section 2.3).
  bool is_surely_empty_for(Duration length, TimePoint now) const {
    constexpr int kOften = 8;
    return measured_empty_ >= kOften && is_empty_for(length, now);
  }
  bool stands_for(Duration length, TimePoint now) const { return is_since(stands_since_, length, now); }
  bool has_room_for(Duration length, TimePoint now) const { return is_since(room_since_, length, now); }
  /// Only while it stands.
  DataRate rate_since_it_stands(DataSize carried, TimePoint now) const {
    return (carried - carried_) / (now - *stands_since_);
  }

 private:
  static constexpr Duration kOfAnEmptyQueue = std::chrono::milliseconds{4};

  static bool is_since(const std::optional<TimePoint>& since, Duration length, TimePoint now) {
    return since && now - *since >= length;
  }

  std::optional<TimePoint> empty_since_, stands_since_, room_since_;
  DataSize carried_;  // when it began to stand
  TimePoint measured_;
  int measured_empty_ = 0;  // times, since then
};

}  // namespace tributary
