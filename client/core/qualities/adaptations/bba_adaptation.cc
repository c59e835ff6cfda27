#include "core/qualities/adaptations/bba_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary {
namespace {

constexpr double kReservoir = 90.0 / 240;
constexpr double kCushion = 126.0 / 240;

/// The quality that follows `previous` when the buffer asks for `wanted` (the paper's Algorithm 1).
QualityIndex follow(DataRate wanted, QualityIndex previous, const SegmentTable& table) {
  const auto bitrate = [&](std::size_t q) { return table.bitrate(static_cast<QualityIndex>(q)); };
  const std::size_t last = to_index(table.highest_quality());
  std::size_t q = to_index(previous);
  if (wanted >= bitrate(std::min(q + 1, last))) {
    while (q < last && bitrate(q + 1) < wanted) ++q;
  } else if (q > 0 && wanted <= bitrate(q - 1)) {
    while (q > 0 && bitrate(q - 1) > wanted) --q;
  }
  return static_cast<QualityIndex>(q);
}

}  // namespace

QualityChoice BbaAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const double room = to_seconds(input.capacity - table.duration(input.segment));
  const double reservoir = kReservoir * room;
  const double cushion = kCushion * room;
  const double level = to_seconds(level_at_transfer(input));
  const DataRate lowest = table.bitrate(QualityIndex{0});
  const DataRate highest = table.bitrate(table.highest_quality());
  if (level <= reservoir) {
    previous_ = QualityIndex{0};
    return {previous_, fmt::format("{:.3f} s are within the reservoir of {:.3f} s: lowest", level, reservoir)};
  }
  if (level >= reservoir + cushion) {
    previous_ = table.highest_quality();
    return {previous_,
            fmt::format("{:.3f} s are above reservoir and cushion, {:.3f} s: highest", level, reservoir + cushion)};
  }
  const DataRate wanted = lowest + (level - reservoir) / cushion * (highest - lowest);
  previous_ = follow(wanted, previous_, table);
  return {previous_, fmt::format("{:.3f} s buffered are worth {:.0f} kbit/s: {}", level, wanted.kilobits_per_second(),
                                 table.quality_name(previous_))};
}

}  // namespace tributary
