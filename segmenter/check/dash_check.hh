#pragma once

#include <string>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/check/manifest_files.hh"

namespace tributary::segmenter {

/// Compares the DASH manifest of a presentation with its media files.
void check_dash(const ManifestFiles& files, const std::string& name, const Presentation& media, Findings& findings);

}  // namespace tributary::segmenter
