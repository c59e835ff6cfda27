#pragma once

#include <cstddef>
#include <cstdint>

#include "presentation/presentation.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The presentation as an origin has it that publishes each segment bit by bit while it makes it: segments become ranges of
/// their files, which last `longest` at the most, are as long as each other, and have as many bytes. The first range of a
/// segment continues no other one. For experiments: where frames begin does not matter. Throws std::invalid_argument if
/// sizes are estimates.
Presentation in_partial_segments(const Presentation& presentation, Duration longest);

/// The index as it is played at low latency: the parts that it lists take the place of their segments, and stand behind them
/// where their segment is being made. An index without parts stays as it is. `Track::parts` are kept.
Presentation in_listed_parts(Presentation index);

/// The piece of a track that a part is, or a whole segment.
struct ListedPiece {
  std::uint64_t ticks = 0;
  DataSize size;
  SegmentPlace place;
  bool continues = false;  // Track::does_continue
};
ListedPiece listed_part(const Track& track, const SegmentParts& of, std::size_t part);
/// The part list of the segment with that number; null: the track lists no parts of it.
const SegmentParts* parts_of(const Track& track, std::uint64_t segment);

}  // namespace tributary
