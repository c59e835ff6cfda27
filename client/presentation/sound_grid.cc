#include "presentation/sound_grid.hh"

namespace tributary {

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
    in_time_.push_back(next < all && starts_[next] <= starts[i] + tenth);
    const std::size_t begin = next;
    while (next < all && (last || starts_[next] < starts[i] + 9 * tenth)) ++next;
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
