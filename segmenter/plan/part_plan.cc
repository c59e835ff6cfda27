#include "segmenter/plan/part_plan.hh"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tributary::segmenter {

PartPlan::PartPlan(SegmentPlan plan, Duration longest) : plan_{std::move(plan)} {
  if (longest == Duration{}) return;
  constexpr double kRounding = 1e-6;  // of a picture
  const double most = std::floor(to_seconds(longest) * plan_.frame_rate().per_second() + kRounding);
  const int pictures = plan_.pictures_per_segment();
  const auto parts = static_cast<int>(std::ceil(pictures / std::max(1.0, most)));
  pictures_per_part_ = static_cast<std::uint64_t>((pictures + parts - 1) / parts);
}

std::uint64_t PartPlan::begin_of(std::uint64_t picture) const {
  const std::uint64_t begin = plan_.begin(plan_.segments(picture + 1) - 1);
  return divides() ? picture - (picture - begin) % pictures_per_part_ : begin;
}

std::uint64_t PartPlan::end_of(std::uint64_t picture) const {
  const std::uint64_t end = plan_.begin(plan_.segments(picture + 1));
  return divides() ? std::min(end, begin_of(picture) + pictures_per_part_) : end;
}

std::uint64_t PartPlan::longest_picture() const {
  return pictures_per_part_ * static_cast<std::uint64_t>(plan_.picture_ticks());
}

std::uint64_t PartPlan::longest_sound(int sample_rate, int frame_samples) const {
  const FrameRate rate = plan_.frame_rate();
  const std::uint64_t samples =
      pictures_per_part_ * static_cast<unsigned>(rate.den) * static_cast<unsigned>(sample_rate);
  const std::uint64_t frame = static_cast<std::uint64_t>(rate.num) * static_cast<unsigned>(frame_samples);
  return (samples + frame - 1) / frame;
}

}  // namespace tributary::segmenter
