#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "system/file_descriptor.hh"

namespace tributary::segmenter {

/// A file under a temporary name beside its place. The destructor removes it unless it was moved to its place. Every
/// call throws Failure (output) that names the place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& place);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void write(std::span<const std::byte> content);
  /// Appends the content of the other file.
  void append(TemporaryFile& other);
  /// Closes the file and renames it. No write may follow.
  void move_to_place();

 private:
  std::filesystem::path place_, path_;
  FileDescriptor descriptor_;
  bool renamed_ = false;
};

/// Throws Failure (output): "cannot write low/00001.m4s: No space left on device".
[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error);

/// The temporary name: ".00001.m4s.tmp" of "00001.m4s".
std::filesystem::path temporary_name(const std::filesystem::path& place);

}  // namespace tributary::segmenter
