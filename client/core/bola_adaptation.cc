#include "core/bola_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

constexpr double kGammaP = 5;

Duration of_finite_title(Duration capacity, SegmentIndex segment, const SegmentTable& table) {
  const std::size_t begun = to_index(segment);
  const auto segments = static_cast<double>(std::min(begun, table.segment_count() - begun));
  return std::min(capacity, from_seconds(std::max(segments / 2, 3.0) * to_seconds(table.duration(segment))));
}

}  // namespace

QualityIndex BolaAdaptation::highest_score(const AdaptationInput& input, const SegmentTable& table) const {
  const Duration capacity =
      title_ == Title::kFinite ? of_finite_title(input.capacity, input.segment, table) : input.capacity;
  const auto bitrate = [&](std::size_t q) { return table.bitrate(static_cast<QualityIndex>(q)); };
  const auto utility = [&](std::size_t q) { return std::log(bitrate(q) / bitrate(0)); };
  const double room = to_seconds(capacity - table.duration(input.segment));
  const double v = room / (utility(to_index(table.highest_quality())) + kGammaP);
  const double level = to_seconds(level_at_transfer(input));
  const auto score = [&](std::size_t q) {
    return (v * (utility(q) + kGammaP) - level) / bitrate(q).bits_per_second();
  };
  std::size_t best = 0;
  for (std::size_t q = 1; q < table.quality_count(); ++q) {
    if (score(q) > score(best)) best = q;
  }
  return static_cast<QualityIndex>(best);
}

QualityChoice BolaAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  if (!history_.throughput()) return {previous_, "no segment measured yet: lowest"};
  QualityIndex quality = highest_score(input, table);
  std::string reason =
      fmt::format("{} scores highest with {:.3f} of {:.3f} s buffered", table.quality_name(quality),
                  to_seconds(level_at_transfer(input)), to_seconds(input.capacity));
  const QualityIndex sustainable = history_.sustainable(input.segment, table, 1.0);
  if (quality > previous_ && quality > sustainable) {
    quality = previous_ > sustainable ? previous_ : next(sustainable);
    reason += fmt::format(", {:.0f} kbit/s allow a step to {}", history_.throughput()->kilobits_per_second(),
                          table.quality_name(quality));
  }
  previous_ = quality;
  return {quality, reason};
}

}  // namespace tributary
