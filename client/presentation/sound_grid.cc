#include "presentation/sound_grid.hh"

namespace tributary {

void SoundGrid::extend(const Track& sound, const Track& picture, const std::vector<Duration>& starts, bool complete) {
  const auto at = [](const Track& track, std::uint64_t ticks) {
    return from_seconds(static_cast<double>(ticks) / track.timescale);
  };
  const Duration zero = at(picture, picture.start);
  const std::size_t all = sound.sizes.size();
  std::uint64_t tick = tick_.value_or(sound.start);
  for (std::size_t i = spans_.size(); i < starts.size(); ++i) {
    const Duration tenth = picture.duration(static_cast<SegmentIndex>(i)) / 10;
    const bool last = complete && i + 1 == picture.sizes.size();
    in_time_.push_back(next_ < all && at(sound, tick) - zero <= starts[i] + tenth);
    const std::size_t begin = next_;
    for (; next_ < all && (last || at(sound, tick) - zero < starts[i] + 9 * tenth); ++next_)
      tick += sound.durations[next_];
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
