#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the HLS playlists of a presentation with its media files.
void check_hls(const std::filesystem::path& directory, const std::string& master, const Presentation& media,
               Findings& findings);

}  // namespace tributary::segmenter
