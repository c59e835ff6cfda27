#include "core/qualities/adaptations/dynamic_adaptation.hh"

namespace tributary {
namespace {

constexpr Duration kLowLevel = std::chrono::seconds{10};

}  // namespace

QualityChoice DynamicAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const QualityChoice by_bola = bola_.choose(input, table);
  const QualityChoice by_throughput = throughput_.choose(input, table);
  const Duration level = level_at_transfer(input);
  if (bola_decides_) {
    if (level < kLowLevel && by_bola.quality < by_throughput.quality) bola_decides_ = false;
  } else {
    if (level > kLowLevel && by_bola.quality >= by_throughput.quality) bola_decides_ = true;
  }
  if (bola_decides_) return {by_bola.quality, "bola: " + by_bola.reason};
  return {by_throughput.quality, "throughput: " + by_throughput.reason};
}

void DynamicAdaptation::measured(const SegmentMeasurement& measurement) {
  throughput_.measured(measurement);
  bola_.measured(measurement);
}

}  // namespace tributary
