#include "core/link_estimator.hh"

#include <cmath>

namespace tributary {
namespace {

// The last subsegment of a segment may be a few bytes, which arrive in the same packet as the one before: its
// rate says nothing. Small subsegments are measured together with the next ones until they are this many
// bytes.
constexpr DataSize kSmallestMeasurement{20'000};
constexpr double kMemory = 0.5;  // seconds of busy time, after which a measurement counts 1/e

}  // namespace

void SubsegmentTimes::measured(DataSize size, Duration took) {
  measured_ += size;
  measured_for_ += took;
  if (measured_ < kSmallestMeasurement || measured_for_ <= Duration::zero()) return;
  const double seconds_per_byte = to_seconds(measured_for_) / static_cast<double>(measured_.bytes());
  average_seconds_per_byte_ =
      average_seconds_per_byte_ ? (*average_seconds_per_byte_ + seconds_per_byte) / 2 : seconds_per_byte;
  measured_ = {};
  measured_for_ = {};
}

std::optional<DataRate> SubsegmentTimes::throughput() const {
  if (!average_seconds_per_byte_) return std::nullopt;
  return DataRate::bits_per_second(8 / *average_seconds_per_byte_);
}

std::optional<DataRate> SubsegmentTimes::with(DataSize received, Duration in) const {
  if (!average_seconds_per_byte_) return std::nullopt;
  // As if so many bytes had come at the average rate just before.
  const double before = static_cast<double>(kSmallestMeasurement.bytes());
  const double seconds = before * *average_seconds_per_byte_ + to_seconds(in);
  return DataRate::bits_per_second(8 * (before + static_cast<double>(received.bytes())) / seconds);
}

BusyRate::Carried BusyRate::Carried::followed_by(double more, double in) const {
  if (in <= 0) return {bytes + more, seconds};
  const double keep = std::exp(-in / kMemory);
  const double weight = kMemory * (1 - keep);
  return {bytes * keep + more / in * weight, seconds * keep + weight};
}

void BusyRate::measured(DataSize size, Duration took) {
  lately_ = lately_.followed_by(static_cast<double>(size.bytes()), to_seconds(took));
  in_all_ += size;
}

std::optional<DataRate> BusyRate::with(DataSize received, Duration in) const {
  if (in_all_ < kSmallestMeasurement) return std::nullopt;
  const Carried carried = lately_.followed_by(static_cast<double>(received.bytes()), to_seconds(in));
  if (carried.bytes <= 0 || carried.seconds <= 0) return std::nullopt;
  return DataRate::bits_per_second(8 * carried.bytes / carried.seconds);
}

std::unique_ptr<LinkEstimator> make_estimator(SubsegmentApproach approach) {
  if (approach == SubsegmentApproach::kBalanced) return std::make_unique<BusyRate>();
  return std::make_unique<SubsegmentTimes>();
}

}  // namespace tributary
