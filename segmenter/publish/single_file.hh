#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The beginning of a file that the segments of a track share: the init segment, if there is one, and the segments'
/// index. Sets the place of each segment in `track`. Throws Failure (output) if there are too many segments for the
/// index.
std::vector<std::byte> begin_single_file(Track& track, std::span<const std::byte> init);

}  // namespace tributary::segmenter
