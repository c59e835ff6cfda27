#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "segmenter/check/deep_check.hh"

namespace tributary::segmenter {

struct CheckResult {
  std::vector<std::string> findings;  // one for each wrong place, with its name; empty: all is as it should be
  std::size_t tracks = 0, segments = 0;
};

/// Compares a prepared directory with its index, file by file, and the index with the manifests. Judges by the content
/// of the files: sizes, timestamps, codecs; with `deep`, by decoded frames, too. Changes no file. Throws Failure
/// (input) if there is no index, and otherwise as check_decoding() does.
CheckResult check_presentation(const std::filesystem::path& directory, const DeepCheck& deep,
                               const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
