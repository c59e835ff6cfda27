#pragma once

#include <cstdint>
#include <optional>

#include "presentation/presentation.hh"
#include "units/data_size.hh"

namespace tributary {

/// A segment of one track that comes into being while the presentation is live.
struct TrackSegment {
  DataSize size;
  std::uint64_t ticks = 0;
  bool estimated = false;                 // nobody has stated the size
  std::optional<std::uint32_t> track{};   // nothing: they are told in the order of the tracks
  SegmentPlace place{};                   // where the segments of the track have places
  std::optional<StretchStart> stretch{};  // if it begins one
  bool continues = false;                 // Track::does_continue
  std::optional<FilePiece> piece{};

  bool operator==(const TrackSegment&) const = default;
};

/// The track has this further segment.
void append(Track& track, const TrackSegment& segment);
/// The segment of the track will never be there: it has no bytes from now on. Returns how many of the track are lost in
/// a row with it.
std::size_t lose(Track& track, SegmentIndex segment);

}  // namespace tributary
