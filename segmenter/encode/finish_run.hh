#pragma once

#include "segmenter/encode/encode_terms.hh"
#include "segmenter/encode/unfinished_run.hh"

namespace tributary::segmenter {

/// Publishes a presentation with all segments in their places: files of whole tracks, thumbnails, manifests, index. Then
/// removes the books of the unfinished run. Throws Failure, also (interrupted) once the flag is set.
void finish(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms,
            const std::atomic<bool>& interrupted);

/// Cleans up if the index already exists: removes files that the finished presentation does not need.
void remove_leftovers(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms);

}  // namespace tributary::segmenter
