#include "presentation/segments/sound_grid.hh"

#include <algorithm>

namespace tributary {

namespace {

/// Where the last stretch begins that begins within these segments; `begin` if none does.
std::size_t last_stretch_within(const Track& sound, std::size_t begin, std::size_t end) {
  if (end == 0) return begin;
  const std::size_t first = to_index(sound.first_of(sound.stretch_of(static_cast<SegmentIndex>(end - 1))));
  return std::max(first, begin);
}

}  // namespace

void SoundGrid::extend(const Track& sound, const Track& picture, const std::vector<Duration>& starts, bool complete) {
  const auto at = [](const Track& track, std::uint64_t ticks) {
    return from_seconds(static_cast<double>(ticks) / track.timescale);
  };
  const Duration zero = at(picture, picture.start);
  const std::size_t all = sound.sizes.size();
  std::uint64_t tick = tick_.value_or(sound.start);
  for (std::size_t i = starts_.size(); i < all; ++i) {
    starts_.push_back(at(sound, tick) - zero);
    tick += sound.durations[i];
  }
  end_ = at(sound, tick) - zero;
  const std::size_t told = spans_.size();
  for (std::size_t i = told; i < starts.size(); ++i) {
    const Duration tenth = picture.duration(static_cast<SegmentIndex>(i)) / 10;
    const bool last = complete && i + 1 == picture.sizes.size();
    std::size_t begin = next_;
    while (next_ < all && (last || starts_[next_] < starts[i] + 9 * tenth)) ++next_;
    if (const std::size_t behind = last_stretch_within(sound, begin, next_); i > told && behind > begin)
      spans_.back().end = begin = behind;
    in_time_.push_back(begin < all && starts_[begin] <= starts[i] + tenth);
    spans_.push_back({begin, next_});
  }
  tick_ = tick;
}

SoundGrid::Span SoundGrid::with(SegmentIndex segment) const { return spans_[to_index(segment)]; }

SegmentIndex SoundGrid::first_for(SegmentIndex segment) const {
  std::size_t first = to_index(segment);
  if (in_time_[first]) return segment;
  while (first > 0 && spans_[first - 1].begin == spans_[first - 1].end) --first;
  return static_cast<SegmentIndex>(first > 0 ? first - 1 : 0);
}

}  // namespace tributary
