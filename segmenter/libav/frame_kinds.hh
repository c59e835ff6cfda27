#pragma once

#include <span>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/frame_index.hh"

namespace tributary::segmenter {

/// Where the frames of a media segment are, and of which kind, as their slice headers say (ITU-T H.264 section 7.3.3).
/// Throws BoxError when the init segment is not one of H.264, or the frames are not what they should be.
std::vector<Frame> frames_in(std::span<const std::byte> segment, const InitFacts& init);

}  // namespace tributary::segmenter
