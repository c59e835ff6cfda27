#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the parts of a track that the index lists with their files: sizes, durations, whether they can be decoded
/// without the parts before them; and that a segment has the bytes of its parts.
void check_parts(const std::filesystem::path& directory, const Track& index, Findings& findings);

}  // namespace tributary::segmenter
