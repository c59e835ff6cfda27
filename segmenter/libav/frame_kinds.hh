#pragma once

#include <span>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/json/frame_index.hh"

namespace tributary::segmenter {

/// The places and kinds of a media segment's frames, by their slice headers (ITU-T H.264 section 7.3.3). Throws
/// BoxError if the init segment is not one of H.264, or if the frames are damaged.
std::vector<Frame> frames_in(std::span<const std::byte> segment, const InitFacts& init);

}  // namespace tributary::segmenter
