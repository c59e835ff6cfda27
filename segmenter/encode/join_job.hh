#pragma once

#include <filesystem>
#include <vector>

#include "segmenter/encode/encode_job.hh"

namespace tributary::segmenter {

struct JoinOptions {
  std::vector<std::filesystem::path> shards;  // directories made with --shard, in any order
  std::filesystem::path output;
  Publication::Existing existing = Publication::Existing::kRefuse;
};

/// Joins the shards of a title to the presentation that one run would have made. The shards stay as they are. Throws
/// Failure (input) that names a shard that is missing, unfinished, or of another title.
EncodeResult join(const JoinOptions& options, const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
