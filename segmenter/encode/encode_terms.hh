#pragma once

#include "segmenter/encode/encode_job.hh"
#include "segmenter/encode/unfinished_run.hh"

namespace tributary::segmenter {

/// What the bytes of this presentation depend on: the title, the options, and the versions of the encoders. Nothing when
/// the input or subtitles are no files, and may be others next time. The ladder is that which is encoded.
EncodeTerms terms_of(const EncodeOptions& options);

/// How it is finished when all its segments are there, as the terms say.
struct FinishTerms {
  TrackLayout layout;
  ManifestChoice manifests;
};
FinishTerms finish_terms(const EncodeTerms& terms);

}  // namespace tributary::segmenter
