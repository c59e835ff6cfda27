#pragma once

#include <filesystem>
#include <vector>

#include "segmenter/encode/encode_job.hh"

namespace tributary::segmenter {

struct JoinOptions {
  std::vector<std::filesystem::path> parts;  // what was made with --part, in any order
  std::filesystem::path output;
  Publication::Existing existing = Publication::Existing::kRefuse;
};

/// Puts the parts of a title together to what one run would have made of it; they stay as they are. Throws Failure
/// (input) that says which part is missing, not finished, or another one's.
EncodeResult join(const JoinOptions& options, const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
