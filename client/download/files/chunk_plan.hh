#pragma once

#include <vector>

#include "presentation/presentation.hh"
#include "units/byte_set.hh"

namespace tributary {

/// The size of the chunks for a file of this size. There are at least 16, so that an interruption costs little, as long
/// as each has 256 kB. None has more than 4 MB, because several are kept in memory.
DataSize chunk_size_for(DataSize file);
/// Bytes per subsegment and link that keep a link busy at a depth of 4, but leave enough of them in a small file for
/// the links to end together.
DataSize subsegment_size_for(DataSize file);

/// The size of the chunks for a file that is filled from both ends. They are smaller: at the end, a slow
/// link shall not begin one that others would wait for.
DataSize chunk_size_from_both_ends(DataSize file);
/// The parts of the file that are not complete, from front to back, each cut into chunks of the same size, at most
/// `most`: a small one would cost a link a round trip.
std::vector<ByteRange> chunks_to_fetch(DataSize file, const ByteSet& complete, DataSize most);
inline std::vector<ByteRange> chunks_to_fetch(DataSize file, const ByteSet& complete) {
  return chunks_to_fetch(file, complete, chunk_size_for(file));
}

/// The chunks as segments of one quality in one file. They have a duration because an index wants one; in a download
/// nothing plays.
Presentation presentation_of(const std::vector<ByteRange>& chunks);
inline constexpr const char* kObjectTrack = "object";

}  // namespace tributary
