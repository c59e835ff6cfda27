#include "core/qualities/adaptations/bola_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

constexpr double kGammaP = 5;

double utility(QualityIndex quality, const SegmentTable& table) {
  return std::log(table.bitrate(quality) / table.bitrate(QualityIndex{0}));
}

Duration of_finite_title(Duration capacity, SegmentIndex segment, const SegmentTable& table) {
  const std::size_t begun = to_index(segment);
  const auto segments = static_cast<double>(std::min(begun, table.segment_count() - begun));
  return std::min(capacity, from_seconds(std::max(segments / 2, 3.0) * to_seconds(table.duration(segment))));
}

}  // namespace

QualityIndex BolaAdaptation::highest_score(const AdaptationInput& input, const SegmentTable& table) {
  const Duration capacity =
      title_ == Title::kFinite ? of_finite_title(input.capacity, input.segment, table) : input.capacity;
  const double room = to_seconds(capacity - table.duration(input.segment));
  v_ = room / (utility(table.highest_quality(), table) + kGammaP);
  const double level = to_seconds(level_at_transfer(input));
  const auto score = [&](QualityIndex q) {
    return (v_ * (utility(q, table) + kGammaP) - level) / table.bitrate(q).bits_per_second();
  };
  QualityIndex best{0};
  for (QualityIndex q = next(best); q <= table.highest_quality(); q = next(q)) {
    if (score(q) > score(best)) best = q;
  }
  return best;
}

QualityChoice BolaAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  if (!history_.throughput()) return {previous_, "no segment measured yet: lowest"};
  QualityIndex quality = highest_score(input, table);
  std::string reason = fmt::format("{} scores highest with {:.3f} of {:.3f} s buffered", table.quality_name(quality),
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

bool BolaAdaptation::abandons(const SegmentProgress& progress, const SegmentTable& table) {
  const DataSize left = progress.size - progress.received;
  if (title_ == Title::kEndless || progress.received == DataSize{} || left == DataSize{}) return false;
  const auto score = [&](QualityIndex q, DataSize bytes) {
    return (v_ * (utility(q, table) + kGammaP) - to_seconds(progress.level)) / static_cast<double>(bytes.bytes());
  };
  const double here = score(progress.quality, left);
  if (here < 0) return false;
  double best = here;
  for (QualityIndex q{0}; q < progress.quality; q = next(q)) {
    const DataSize size = scale(progress.size, table.bitrate(q) / table.bitrate(progress.quality));
    if (size >= left || score(q, size) <= best) continue;
    best = score(q, size);
    previous_ = q;
  }
  return best > here;
}

}  // namespace tributary
