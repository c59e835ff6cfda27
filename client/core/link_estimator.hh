#pragma once

#include <algorithm>
#include <optional>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows what one link has carried lately: how long a subsegment takes is measured, and averaged with the average before,
/// half and half (thesis section 4.2.4). What is averaged is time per byte, not rate: bytes that waited behind a lost
/// packet arrive in a burst, whose rate says nothing, and which can then no more than halve the time.
/// A measurement lasts from the moment that the link turned to the request (it was sent, or the one before it ended,
/// whichever is later) to its last byte: a pipelined request has no waiting time in it, one that found the link idle has
/// a round trip in it, as the thesis wants it.
class LinkEstimator {
 public:
  void request_done(DataSize size, TimePoint sent, TimePoint done);
  /// The link turned away from a request that will not be measured.
  void request_failed(TimePoint at) { last_end_ = at; }

  std::optional<DataRate> throughput() const;
  /// What the link seems to carry at this moment, with `received` bytes of the request that it answers: the average, of
  /// which the answer takes the place as it comes, or does not come. Nothing if nothing was measured yet.
  std::optional<DataRate> rate_now(DataSize received, TimePoint sent, TimePoint now) const;


  /// When the link turned to a request.
  TimePoint begin(TimePoint sent) const { return last_end_ ? std::max(*last_end_, sent) : sent; }

 private:
  std::optional<TimePoint> last_end_;
  DataSize measured_;
  Duration measured_for_{};
  std::optional<double> average_seconds_per_byte_;
};

}  // namespace tributary
