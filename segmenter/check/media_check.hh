#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the files of a presentation with its index: sizes, codecs, durations, a timeline without gaps, segments
/// that begin with a sync sample, sound that is cut where the picture is. Returns the presentation as its files make
/// it, with measured sizes, durations and rates; what cannot be read stays as the index has it.
Presentation check_media(const std::filesystem::path& directory, const Presentation& index, Findings& findings);

}  // namespace tributary::segmenter
