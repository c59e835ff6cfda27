#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the DASH manifest of a presentation with what its media files are.
void check_dash(const std::filesystem::path& directory, const std::string& name, const Presentation& media,
                Findings& findings);

}  // namespace tributary::segmenter
