#pragma once

#include <chrono>

#include "units/least_delay.hh"

namespace tributary {

/// The least round trip of the last 20 to 40 seconds: the delay of the link, without its queues.
class LeastRoundTrip {
 public:
  void sample(Duration round_trip, TimePoint now) { least_.sample(round_trip, now); }
  /// 0 if it was never measured.
  Duration value() const { return least_.value().value_or(Duration{}); }

 private:
  static constexpr Duration kWindow = std::chrono::seconds{20};
  LeastDelay least_{kWindow};
};

}  // namespace tributary
