#include "core/link_estimator.hh"

#include <algorithm>

namespace tributary {
namespace {

// The last subsegment of a segment may be a few bytes, which arrive in the same packet as the one before: its
// rate says nothing. Small subsegments are measured together with the next ones until they are this many
// bytes.
constexpr DataSize kSmallestMeasurement{20'000};

}  // namespace

void LinkEstimator::request_done(DataSize size, TimePoint sent, TimePoint done) {
  const TimePoint begin = last_end_ ? std::max(*last_end_, sent) : sent;
  last_end_ = done;
  measured_ += size;
  measured_for_ += done - begin;
  if (measured_ < kSmallestMeasurement || measured_for_ <= Duration::zero()) return;
  const DataRate measurement = measured_ / measured_for_;
  average_ = average_ ? (*average_ + measurement) / 2 : measurement;
  measured_ = {};
  measured_for_ = {};
}

}  // namespace tributary
