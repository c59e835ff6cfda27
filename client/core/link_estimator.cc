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
  const double seconds_per_byte = to_seconds(measured_for_) / static_cast<double>(measured_.bytes());
  average_seconds_per_byte_ =
      average_seconds_per_byte_ ? (*average_seconds_per_byte_ + seconds_per_byte) / 2 : seconds_per_byte;
  measured_ = {};
  measured_for_ = {};
}

std::optional<DataRate> LinkEstimator::throughput() const {
  if (!average_seconds_per_byte_) return std::nullopt;
  return DataRate::bits_per_second(8 / *average_seconds_per_byte_);
}

}  // namespace tributary
