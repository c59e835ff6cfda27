#pragma once

#include <atomic>

#include "segmenter/publish/publication.hh"
#include "segmenter/synthetic/synthetic_movie.hh"

namespace tributary::segmenter {

/// Publishes the movie as plain bytes (synthetic_content.hh): one track of kind data for each quality, all in
/// one group; or its index without them. The flag ends it with Failure (interrupted).
void write_synthetic(const SyntheticMovie& movie, const Publication& publication, bool index_only,
                     const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
