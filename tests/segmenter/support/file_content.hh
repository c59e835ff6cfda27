#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace tributary::segmenter {

/// Empty if there is no such file.
inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return std::move(std::ostringstream{} << file.rdbuf()).str();
}

}  // namespace tributary::segmenter
