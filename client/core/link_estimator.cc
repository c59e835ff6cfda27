#include "core/link_estimator.hh"

namespace tributary {
namespace {

// The last subsegment of a segment may be a few bytes, which arrive in the same packet as the one before: its
// rate says nothing. Small subsegments are measured together with the next ones until they are this many
// bytes.
constexpr DataSize kSmallestMeasurement{20'000};

}  // namespace

void LinkEstimator::request_done(DataSize size, TimePoint sent, TimePoint done) {
  measured_ += size;
  measured_for_ += done - begin(sent);
  last_end_ = done;
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

std::optional<DataRate> LinkEstimator::rate_now(DataSize received, TimePoint sent, TimePoint now) const {
  if (!average_seconds_per_byte_) return std::nullopt;
  // As if so many bytes had come at the average rate just before.
  const double before = static_cast<double>(kSmallestMeasurement.bytes());
  const double seconds = before * *average_seconds_per_byte_ + to_seconds(now - begin(sent));
  return DataRate::bits_per_second(8 * (before + static_cast<double>(received.bytes())) / seconds);
}

}  // namespace tributary
