#pragma once

#include "segmenter/encode/encode_terms.hh"
#include "segmenter/encode/unfinished_run.hh"

namespace tributary::segmenter {

/// Publishes a presentation of which every segment is in its place: what belongs to whole tracks, manifests, index. Then
/// the books of the unfinished run go.
void finish(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms);

/// An index stands already, and only what was in the way of it is left.
void remove_leftovers(const Publication& publication, const UnfinishedRun& run, const FinishTerms& terms);

}  // namespace tributary::segmenter
