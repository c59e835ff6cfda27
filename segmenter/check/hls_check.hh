#pragma once

#include <string>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/check/manifest_files.hh"

namespace tributary::segmenter {

/// Compares the HLS playlists of a presentation with its media files.
void check_hls(const ManifestFiles& files, const std::string& master, const Presentation& media, Findings& findings);

}  // namespace tributary::segmenter
