#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace tributary::segmenter {

/// The whole file; nothing when it cannot be read.
inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  return file && !std::filesystem::is_directory(path) ? std::optional{std::move(bytes)} : std::nullopt;
}

}  // namespace tributary::segmenter
