#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tributary::segmenter {

/// Where a file can be cut, in pictures by the order of presentation.
struct KeyFrames {
  std::string file;
  std::vector<std::uint64_t> at;  // rising; the first is 0
  std::uint64_t pictures = 0;     // of the file
  bool open_groups = false;       // it has key frames with which no segment can begin
};

/// The pictures at which segments of all files begin: from cut to cut the common key frame that comes nearest to
/// `wished` pictures, and no segment shorter than half of that if it can be avoided. Files may end at different pictures;
/// what is common counts. Not empty.
std::vector<std::uint64_t> common_cuts(std::span<const KeyFrames> files, std::uint64_t wished);

/// Two files that cannot be cut together where each of them can: between `from` and `to` they have key frames, but none
/// at the same picture. Indices of `files`.
struct ApartFiles {
  std::size_t first, second;
  std::uint64_t from, to;
};
/// Empty if no stretch between cuts is longer than `longest` pictures, or if a single file has one as long.
std::vector<ApartFiles> apart(std::span<const KeyFrames> files, std::span<const std::uint64_t> cuts,
                              std::uint64_t longest);

}  // namespace tributary::segmenter
