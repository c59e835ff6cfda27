#include "segmenter/plan/segment_plan.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tributary::segmenter {
namespace {

constexpr std::array<FrameRate, 13> kUsualRates{{{24000, 1001},
                                                 {24, 1},
                                                 {25, 1},
                                                 {30000, 1001},
                                                 {30, 1},
                                                 {48, 1},
                                                 {50, 1},
                                                 {60000, 1001},
                                                 {60, 1},
                                                 {15, 1},
                                                 {100, 1},
                                                 {120000, 1001},
                                                 {120, 1}}};
constexpr FrameRate kUnknownRate{25, 1};
/// A higher base rate tells only how finely times are counted.
constexpr int kFastest = 500;
constexpr int kSmallestTimescale = 10000;

bool is_known(FrameRate rate) { return rate.num > 0 && rate.den > 0; }
bool is_close(FrameRate a, FrameRate b, double tolerance) {
  return std::abs(a.per_second() / b.per_second() - 1) < tolerance;
}

}  // namespace

std::optional<FrameRate> constant_rate(FrameRate average, FrameRate base) {
  if (!is_known(average)) average = base;
  if (!is_known(average)) return kUnknownRate;
  // 29.97 and 30 differ by 0.1 %; timestamps in milliseconds blur an average by less than a tenth of that.
  for (const FrameRate usual : kUsualRates) {
    if (is_close(average, usual, 3e-4)) return usual;
  }
  if (is_known(base) && is_close(average, base, 0.01) && base.per_second() <= kFastest) return base;
  return std::nullopt;
}

SegmentPlan::SegmentPlan(FrameRate rate, Duration nominal, Duration section)
    : rate_{rate},
      pictures_per_segment_{std::max(1, static_cast<int>(std::lround(to_seconds(nominal) * rate.per_second())))},
      segments_per_section_{
          section == Duration{}
              ? 0
              : static_cast<std::uint64_t>(
                    std::max(1L, std::lround(to_seconds(section) * rate.per_second() / pictures_per_segment_)))},
      timescale_{static_cast<std::uint32_t>(rate.num)},
      picture_ticks_{rate.den} {
  while (timescale_ < kSmallestTimescale) {
    timescale_ *= 2;
    picture_ticks_ *= 2;
  }
}

SegmentPlan::SegmentPlan(FrameRate rate, Duration nominal, std::vector<std::uint64_t> cuts, std::uint64_t pictures)
    : SegmentPlan{rate, nominal} {
  cuts.push_back(pictures);
  cuts_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(cuts));
}

std::uint64_t SegmentPlan::begin(std::uint64_t segment) const {
  if (cuts_) return (*cuts_)[std::min<std::uint64_t>(segment, cuts_->size() - 1)];
  return segment * static_cast<std::uint64_t>(pictures_per_segment_);
}

std::uint64_t SegmentPlan::segments(std::uint64_t pictures) const {
  if (cuts_) return static_cast<std::uint64_t>(std::ranges::lower_bound(*cuts_, pictures) - cuts_->begin());
  const auto each = static_cast<std::uint64_t>(pictures_per_segment_);
  return (pictures + each - 1) / each;
}

std::uint64_t SegmentPlan::sound_frames(std::uint64_t pictures, int sample_rate, int frame_samples) const {
  const std::uint64_t samples = pictures * static_cast<std::uint64_t>(rate_.den) * static_cast<unsigned>(sample_rate);
  const std::uint64_t frame = static_cast<std::uint64_t>(rate_.num) * static_cast<unsigned>(frame_samples);
  return (samples + frame / 2) / frame;
}

}  // namespace tributary::segmenter
