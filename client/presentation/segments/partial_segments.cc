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

namespace {

/// Behind all that is listed.
void add(Track& track, const ListedPiece& piece) {
  track.durations.push_back(piece.ticks);
  track.sizes.push_back(piece.size);
  track.continues.push_back(piece.continues);
  track.places.push_back(piece.place);
}

void add_parts(Track& to, const Track& from, const SegmentParts& segment) {
  for (std::size_t part = 0; part < segment.parts.size(); ++part) add(to, listed_part(from, segment, part));
}

Track in_listed_parts(const Track& track) {
  Track result = track;
  result.durations.clear();
  result.sizes.clear();
  result.estimated.clear();
  result.metrics = {};
  result.frames.reset();
  result.uri.clear();
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    const std::uint64_t number = track.first_number + i;
    if (const SegmentParts* const parts = parts_of(track, number))
      add_parts(result, track, *parts);
    else
      add(result, {track.durations[i], track.sizes[i], {track.segment_uri(number), {}, {}}, false});
  }
  if (const SegmentParts* const open = parts_of(track, track.first_number + track.sizes.size()))
    add_parts(result, track, *open);
  if (std::ranges::find(result.continues, true) == result.continues.end()) result.continues.clear();
  return result;
}

bool has_parts(const Track& track) { return track.parts && track.places.empty() && track.stretches.empty(); }

}  // namespace

/// Any sound can be decoded by itself.
ListedPiece listed_part(const Track& track, const SegmentParts& of, std::size_t part) {
  const LivePart& listed = of.parts[part];
  return {listed.ticks,
          listed.size,
          {track.parts->part_uri(of.segment, part), {}, {}},
          track.kind == TrackKind::kVideo && part > 0 && !listed.independent};
}

/// They follow one another.
const SegmentParts* parts_of(const Track& track, std::uint64_t segment) {
  if (!track.parts || track.parts->segments.empty()) return nullptr;
  const std::vector<SegmentParts>& all = track.parts->segments;
  const std::uint64_t first = all.front().segment;
  return segment < first || segment - first >= all.size() ? nullptr : &all[segment - first];
}

Presentation in_listed_parts(Presentation index) {
  if (index.own_grids || index.tracks.empty() || !std::ranges::all_of(index.tracks, has_parts)) return index;
  const Track& first = index.tracks.front();
  const double part = static_cast<double>(first.parts->target) / first.timescale;
  // As PART-HOLD-BACK of the playlists beside it.
  index.suggested_delay = from_seconds(index.nominal_segment_seconds + 2 * part);
  index.nominal_segment_seconds = part;
  for (Track& track : index.tracks) track = in_listed_parts(track);
  index.in_parts = true;
  return index;
}

Presentation in_partial_segments(const Presentation& presentation, Duration longest) {
  Presentation result = presentation;
  for (Track& track : result.tracks) track = cut(track, longest);
  return result;
}

}  // namespace tributary
