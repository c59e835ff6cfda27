#include "presentation/sound_grid.hh"

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

SoundGrid::SoundGrid(const Track& sound, const Track& picture, const std::vector<Duration>& starts) {
  const auto at = [](const Track& track, std::uint64_t ticks) {
    return from_seconds(static_cast<double>(ticks) / track.timescale);
  };
  const Duration zero = at(picture, picture.start);
  const std::size_t all = sound.sizes.size();
  std::uint64_t ticks = sound.start;
  for (const std::uint64_t duration : sound.durations) {
    starts_.push_back(at(sound, ticks) - zero);
    ticks += duration;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Duration tenth = picture.duration(static_cast<SegmentIndex>(i)) / 10;
    const bool last = i + 1 == picture.sizes.size();
    std::size_t begin = next;
    while (next < all && (last || starts_[next] < starts[i] + 9 * tenth)) ++next;
    if (const std::size_t behind = last_stretch_within(sound, begin, next); i > 0 && behind > begin)
      spans_.back().end = begin = behind;
    in_time_.push_back(begin < all && starts_[begin] <= starts[i] + tenth);
    spans_.push_back({begin, next});
  }
}

SoundGrid::Span SoundGrid::with(SegmentIndex segment) const { return spans_[to_index(segment)]; }

SegmentIndex SoundGrid::first_for(SegmentIndex segment) const {
  std::size_t first = to_index(segment);
  if (in_time_[first]) return segment;
  while (first > 0 && spans_[first - 1].begin == spans_[first - 1].end) --first;
  return static_cast<SegmentIndex>(first > 0 ? first - 1 : 0);
}

}  // namespace tributary
