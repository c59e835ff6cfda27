#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "segmenter/check/deep_check.hh"

namespace tributary::segmenter {

struct CheckResult {
  std::vector<std::string> findings;  // one for each wrong place, which it names; none: all is as it should be
  std::size_t tracks = 0, segments = 0;
};

/// Whether a prepared directory is what its index says, file by file, and whether its manifests say the same. Judges
/// by what is in the files: sizes, timestamps, codecs; of `deep` by what comes out of decoders, too. Changes nothing.
/// Throws Failure (input) when there is no index, and what check_decoding() throws.
CheckResult check_presentation(const std::filesystem::path& directory, const DeepCheck& deep,
                               const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
