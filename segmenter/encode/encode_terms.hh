#pragma once

#include "segmenter/encode/encode_job.hh"
#include "segmenter/encode/unfinished_run.hh"

namespace tributary::segmenter {

/// The terms on which the bytes of this presentation depend: the title, the options, and the versions of the encoders.
/// Empty if the input or a subtitle is no file, because it may be another one next time. The ladder and the title
/// in `options` must be the final ones.
EncodeTerms terms_of(const EncodeOptions& options);

/// The terms that hold for the last step, when all segments are there.
struct FinishTerms {
  std::string title;
  std::vector<Chapter> chapters;
  TrackLayout layout;
  ManifestChoice manifests;
  bool thumbnails = true;
};
FinishTerms finish_terms(const EncodeTerms& terms);

}  // namespace tributary::segmenter
