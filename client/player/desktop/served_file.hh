#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/file_descriptor.hh"

namespace tributary::play {

/// A regular file in a folder, opened for reading in its present version.
class ServedFile {
 public:
  /// Nothing if `name` leads out of the folder (by "..", from the root, by a symbolic link), or is no regular file.
  static std::optional<ServedFile> open(const std::string& folder, const std::string& name);

  std::int64_t size() const { return size_; }
  /// Changes with the file, so that no client joins ranges of two versions.
  const std::string& entity_tag() const { return tag_; }
  /// Fewer bytes than `length`, or none, if the file has changed since it was opened.
  std::vector<char> read(std::int64_t offset, std::int64_t length) const;

 private:
  explicit ServedFile(FileDescriptor fd) : fd_{std::move(fd)} {}
  std::optional<std::string> tag_now() const;

  FileDescriptor fd_;
  std::int64_t size_ = 0;
  std::string tag_;
};

/// Bytes `begin` to `end` of a file, without `end`. Empty: the file has none of the requested bytes.
struct FilePart {
  std::int64_t begin = 0, end = 0;
};

/// Reads a Range header of one range. Several ranges, or other units, count as no header (RFC 9110 section 14.2).
std::optional<FilePart> asked_part(const std::string& range, std::int64_t size);

}  // namespace tributary::play
