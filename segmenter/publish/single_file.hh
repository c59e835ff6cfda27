#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// What stands before the segments of a track that share a file: the init segment, if there is one, and the index of what
/// follows. Says in the track where each segment is then. Throws Failure (output) when there are too many for the index.
std::vector<std::byte> begin_single_file(Track& track, std::span<const std::byte> init);

}  // namespace tributary::segmenter
