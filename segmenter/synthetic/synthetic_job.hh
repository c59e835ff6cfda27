#pragma once

#include <atomic>

#include "segmenter/publish/publication.hh"
#include "segmenter/synthetic/synthetic_movie.hh"

namespace tributary::segmenter {

/// Publishes the movie as plain bytes (synthetic_content.hh): one track of kind data for each quality, all in one
/// group. With `index_only`, publishes the index without the bytes. The flag ends the work with Failure (interrupted).
void write_synthetic(const SyntheticMovie& movie, const Publication& publication, bool index_only,
                     const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
