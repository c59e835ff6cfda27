#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "presentation/resource.hh"

namespace tributary::segmenter {

/// The whole file; nothing if it cannot be read.
inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  return file && !std::filesystem::is_directory(path) ? std::optional{std::move(bytes)} : std::nullopt;
}

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

/// Up to `bytes` bytes of the file from `begin` on; nothing if the file cannot be read.
inline std::optional<std::string> read_file_range(const std::filesystem::path& path, std::uint64_t begin,
                                                  std::uint64_t bytes) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  std::string content(begin < size ? std::min(bytes, size - begin) : 0, '\0');
  std::ifstream file{path, std::ios::binary};
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  return file ? std::optional{std::move(content)} : std::nullopt;
}

/// A file of a presentation, or a range of one. Nothing if it cannot be read; less than that if the file is shorter.
inline std::optional<std::string> read_resource(const std::filesystem::path& directory, const Resource& resource) {
  const std::filesystem::path path = directory / resource.uri;
  if (resource.whole_file) return read_file(path);
  return read_file_range(path, static_cast<std::uint64_t>(resource.range.begin.bytes()),
                         static_cast<std::uint64_t>(resource.range.size().bytes()));
}

}  // namespace tributary::segmenter
