#pragma once

#include <filesystem>

#include "presentation/thumbnail_sheets.hh"
#include "segmenter/check/findings.hh"

namespace tributary::segmenter {

/// Compares the files of thumbnails with the index: their sizes, and whether they are JPEG pictures of as many pixels as
/// their tiles need.
void check_thumbnails(const std::filesystem::path& directory, const ThumbnailSheets& sheets, Findings& findings);

}  // namespace tributary::segmenter
