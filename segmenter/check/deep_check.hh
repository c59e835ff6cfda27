#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// The work of a check beyond the comparison of files, index and manifests.
struct DeepCheck {
  bool decode = false;                // decode every frame
  std::optional<std::string> source;  // file that the presentation was made of, to compare with
};

/// Decodes every segment. With a source, compares the level and spectrum of each segment of sound, and the pictures of
/// each segment, with the source. Differences that an encoder makes at any quality are no findings.
///
/// Throws Failure (input) if the source cannot be read, (usage) for a live presentation with a source, because its
/// timeline is another. The flag ends the check with Failure (interrupted).
void check_decoding(const std::filesystem::path& directory, const Presentation& index,
                    const std::optional<std::string>& source, const std::atomic<bool>& interrupted, Findings& findings);

}  // namespace tributary::segmenter
