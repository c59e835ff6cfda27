#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tributary::segmenter {

/// Empty if there is no such file.
inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace tributary::segmenter
