#include "core/qualities/throughput_history.hh"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tributary {
namespace {

constexpr std::array<Duration, 2> kHalfLives{std::chrono::seconds{3}, std::chrono::seconds{8}};

/// The rest of a weight of one after `time`.
double decay(Duration time, Duration half_life) { return std::exp2(-to_seconds(time) / to_seconds(half_life)); }

}  // namespace

void ThroughputHistory::add(const SegmentMeasurement& measurement) {
  assert(measurement.duration > Duration::zero());
  const double rate = (measurement.size / measurement.duration).bits_per_second();
  for (std::size_t i = 0; i < kHalfLives.size(); ++i) {
    const double old = decay(measurement.duration, kHalfLives[i]);
    averages_[i] = old * averages_[i] + (1 - old) * rate;
  }
  measured_for_ += measurement.duration;
  latency_ = measurement.latency;
}

std::optional<DataRate> ThroughputHistory::throughput() const {
  if (told_) return told_;
  if (measured_for_ == Duration::zero()) return std::nullopt;
  const auto average = [this](std::size_t i) { return averages_[i] / (1 - decay(measured_for_, kHalfLives[i])); };
  return DataRate::bits_per_second(std::min(average(0), average(1)));
}

QualityIndex ThroughputHistory::sustainable(SegmentIndex segment, const SegmentTable& table, double safety) const {
  const auto rate = throughput();
  return rate ? sustainable_at(safety * *rate, segment, table) : QualityIndex{0};
}

QualityIndex ThroughputHistory::sustainable_at(DataRate rate, SegmentIndex segment, const SegmentTable& table) const {
  if (rate <= DataRate{}) return QualityIndex{0};
  const double duration = to_seconds(table.duration(segment));
  std::size_t quality = 0;
  while (quality + 1 < table.quality_count()) {
    const DataRate bitrate = table.bitrate(static_cast<QualityIndex>(quality + 1));
    if (to_seconds(latency_) + duration * (bitrate / rate) > duration) break;
    ++quality;
  }
  return static_cast<QualityIndex>(quality);
}

}  // namespace tributary
