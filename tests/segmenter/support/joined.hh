#pragma once

#include <filesystem>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// Init segment and media segments first to last - 1 in one file, as a player appends them.
std::filesystem::path joined(const std::filesystem::path& directory, const Track& track, std::size_t first,
                             std::size_t last);

/// When a tone begins in encoded sound, in seconds from its first sample; -1: there is none.
double tone_begins(const std::filesystem::path& directory, const Track& sound);

}  // namespace tributary::segmenter
