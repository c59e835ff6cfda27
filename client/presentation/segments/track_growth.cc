#include "presentation/segments/track_growth.hh"

#include <algorithm>
#include <iterator>

namespace tributary {
namespace {

/// Marks are empty as long as none is set.
void mark_last(std::vector<bool>& marks, bool mark, std::size_t count) {
  if (!mark && marks.empty()) return;
  marks.resize(count - 1, false);
  marks.push_back(mark);
}

}  // namespace

void append(Track& track, const TrackSegment& segment) {
  if (segment.stretch) track.begin_stretch(*segment.stretch);
  track.durations.push_back(segment.ticks);
  track.sizes.push_back(segment.size);
  mark_last(track.estimated, segment.estimated, track.sizes.size());
  mark_last(track.continues, segment.continues, track.sizes.size());
  if (segment.piece || !track.pieces.empty()) {
    track.pieces.resize(track.sizes.size() - 1);
    track.pieces.push_back(segment.piece.value_or(FilePiece{}));
  }
  if (!track.places.empty() || track.uri.empty()) track.places.push_back(segment.place);
}

std::size_t lose(Track& track, SegmentIndex segment) {
  const std::size_t at = to_index(segment);
  track.sizes[at] = DataSize{};
  if (!track.estimated.empty()) track.estimated[at] = false;
  const auto lost = [](DataSize size) { return size == DataSize{}; };
  const auto here = track.sizes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = std::find_if_not(here, track.sizes.end(), lost);
  const auto begin = std::find_if_not(std::make_reverse_iterator(here), track.sizes.rend(), lost).base();
  return static_cast<std::size_t>(end - begin);
}

}  // namespace tributary
