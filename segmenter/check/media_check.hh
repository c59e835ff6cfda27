#pragma once

#include <filesystem>

#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the files of a presentation with its index: sizes, codecs, durations, a timeline without gaps, segments
/// that begin with a sync sample, sound that is cut where the picture is. Returns the presentation with sizes,
/// durations and rates measured in its files. Values of files that cannot be read stay as in the index.
Presentation check_media(const std::filesystem::path& directory, const Presentation& index, Findings& findings);

}  // namespace tributary::segmenter
