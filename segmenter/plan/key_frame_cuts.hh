#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tributary::segmenter {

/// Where a file can be cut, in pictures by the order of presentation.
struct KeyFrames {
  std::string file;
  std::vector<std::uint64_t> at;  // rising; the first is 0
  std::uint64_t pictures = 0;     // of the file
  std::uint64_t bytes = 0;        // of all pictures
  bool open_groups = false;       // it has key frames with which no segment can begin
};

/// The pictures at which segments of all files begin: from cut to cut the common key frame that comes nearest to
/// `wished` pictures, and no segment shorter than half of that if it can be avoided. Files may end at different pictures;
/// what is common counts. Not empty.
std::vector<std::uint64_t> common_cuts(std::span<const KeyFrames> files, std::uint64_t wished);

/// A file whose segments cannot begin where those of the others do, and the first stretch where that shows.
struct DifferingFile {
  std::size_t file;  // an index of `files`
  std::uint64_t from, to;
  bool alone;  // it has no place for a cut there itself; else it has some, but none where the others have
};

/// Which files can be cut together.
struct Agreement {
  std::optional<std::size_t>
      reference;                    // the first of those that agree with the most others; nothing: no file can be cut
  std::vector<std::uint64_t> cuts;  // common_cuts() of the reference and those that agree with it
  std::vector<DifferingFile> differing;
};

/// Pictures that may pass without a cut.
struct LongestStretches {
  std::uint64_t together;  // where each file could be cut by itself
  std::uint64_t alone;     // where a file has no key frame
};

/// Files agree if no stretch of their common cuts, or of one of them, is longer than `longest` says.
Agreement agreement(std::span<const KeyFrames> files, std::uint64_t wished, LongestStretches longest);

}  // namespace tributary::segmenter
