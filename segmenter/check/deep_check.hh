#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// What a check is to do beside comparing files, index and manifests.
struct DeepCheck {
  bool decode = false;                // every frame
  std::optional<std::string> source;  // what the presentation was made of; what is decoded is compared with it
};

/// Decodes every segment. Where the source is given, each segment of sound has its level and spectrum, and each segment
/// of pictures is like its pictures, whatever the quality: differences that an encoder makes are no findings. Throws
/// Failure (input) when the source cannot be read, (usage) for a live presentation with a source, whose timeline is its
/// own. The flag ends it with Failure (interrupted).
void check_decoding(const std::filesystem::path& directory, const Presentation& index,
                    const std::optional<std::string>& source, const std::atomic<bool>& interrupted, Findings& findings);

}  // namespace tributary::segmenter
