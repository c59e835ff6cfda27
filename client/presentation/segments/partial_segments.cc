#include "presentation/segments/partial_segments.hh"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tributary {
namespace {

/// Where cut number `i` of `count` is in something of this length.
template <typename Length>
Length cut(Length length, std::size_t i, std::size_t count) {
  return length / static_cast<Length>(count) * static_cast<Length>(i) +
         length % static_cast<Length>(count) * static_cast<Length>(i) / static_cast<Length>(count);
}

std::size_t count_of(const Track& track, SegmentIndex segment, Duration longest) {
  const double count = std::ceil(to_seconds(track.duration(segment)) / to_seconds(longest) - 1e-6);
  const auto ticks = static_cast<double>(track.durations[to_index(segment)]);
  return static_cast<std::size_t>(std::clamp(count, 1.0, std::max(ticks, 1.0)));
}

Track cut(const Track& track, Duration longest) {
  if (std::ranges::find(track.estimated, true) != track.estimated.end())
    throw std::invalid_argument(track.id + " cannot be cut: its sizes are estimates");
  Track result = track;
  result.durations.clear();
  result.sizes.clear();
  result.estimated.clear();
  result.file_offsets.clear();
  result.places.clear();
  result.metrics = {};
  result.frames.reset();
  result.stretches.clear();
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    const auto segment = static_cast<SegmentIndex>(i);
    for (const Stretch& stretch : track.stretches) {
      if (stretch.first != segment) continue;
      result.stretches.push_back(stretch);
      result.stretches.back().first = static_cast<SegmentIndex>(result.sizes.size());
    }
    const Resource whole = track.segment(segment);
    const std::size_t count = count_of(track, segment, longest);
    for (std::size_t part = 0; part < count; ++part) {
      const std::int64_t bytes = track.sizes[i].bytes(), begin = cut(bytes, part, count);
      result.durations.push_back(cut(track.durations[i], part + 1, count) - cut(track.durations[i], part, count));
      result.sizes.emplace_back(cut(bytes, part + 1, count) - begin);
      result.places.push_back({whole.uri, whole.range.begin + DataSize{begin}, whole.cipher});
      result.continues.push_back(part > 0);
    }
  }
  return result;
}

}  // namespace

Presentation in_partial_segments(const Presentation& presentation, Duration longest) {
  Presentation result = presentation;
  for (Track& track : result.tracks) track = cut(track, longest);
  return result;
}

}  // namespace tributary
