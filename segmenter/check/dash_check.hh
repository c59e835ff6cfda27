#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the DASH manifest of a presentation with its media files.
void check_dash(const std::filesystem::path& directory, const std::string& name, const Presentation& media,
                Findings& findings);

}  // namespace tributary::segmenter
