#include "core/qualities/adaptations/throughput_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary {
namespace {

constexpr double kSafety = 0.9;
constexpr double kBufferSafetyFactor = 0.9;
constexpr double kLowestBufferSafety = 0.5;
constexpr double kTooLong = 1.8;  // times the duration of the segment
constexpr Duration kGrace = std::chrono::milliseconds{500};

}  // namespace

QualityChoice ThroughputAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const auto throughput = history_.throughput();
  if (!throughput) return {QualityIndex{0}, "no segment measured yet: lowest"};
  const QualityIndex sustainable = history_.sustainable(input.segment, table, kSafety);
  const Duration level = level_at_transfer(input);
  const double safe_bits = buffer_safety_ * to_seconds(level - history_.latency()) * throughput->bits_per_second();
  buffer_safety_ = std::max(buffer_safety_ * kBufferSafetyFactor, kLowestBufferSafety);

  std::size_t quality = 0;
  const double duration = to_seconds(table.duration(input.segment));
  while (quality < to_index(sustainable)) {
    const DataRate bitrate = table.bitrate(static_cast<QualityIndex>(quality + 1));
    if (bitrate.bits_per_second() * duration > safe_bits) break;
    ++quality;
  }
  const auto chosen = static_cast<QualityIndex>(quality);
  const double kbit_s = throughput->kilobits_per_second();
  if (chosen == sustainable) {
    return {chosen, fmt::format("{} fits in {} of {:.0f} kbit/s", table.quality_name(chosen), kSafety, kbit_s)};
  }
  return {chosen, fmt::format("{} would fit in {} of {:.0f} kbit/s, but only {:.3f} s are buffered",
                              table.quality_name(sustainable), kSafety, kbit_s, to_seconds(level))};
}

bool ThroughputAdaptation::abandons(const SegmentProgress& progress, const SegmentTable& table) {
  const Duration receiving = progress.elapsed - progress.latency;
  if (progress.elapsed < kGrace || receiving <= Duration::zero() || progress.received == DataSize{}) return false;
  const DataRate rate = progress.received / receiving;
  const DataSize left = progress.size - progress.received;
  const double in_all = to_seconds(progress.elapsed + left / rate);
  if (in_all <= kTooLong * to_seconds(table.duration(progress.segment))) return false;
  const QualityIndex quality = history_.sustainable_at(kSafety * rate, progress.segment, table);
  const double smaller = table.bitrate(quality) / table.bitrate(progress.quality);
  return quality < progress.quality && scale(progress.size, smaller) < left;
}

}  // namespace tributary
