#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/file_descriptor.hh"

namespace tributary::play {

/// A regular file that lies in a folder, opened to be read as it is now.
class ServedFile {
 public:
  /// Nothing where `name` leads out of the folder (by "..", from the root, by a symbolic link), or is no regular file.
  static std::optional<ServedFile> open(const std::string& folder, const std::string& name);

  std::int64_t size() const { return size_; }
  /// Changes when the file does, so that no one joins ranges of two files.
  const std::string& entity_tag() const { return tag_; }
  /// Nothing, or fewer bytes, once the file is not what it was when it was opened.
  std::vector<char> read(std::int64_t offset, std::int64_t length) const;

 private:
  explicit ServedFile(FileDescriptor fd) : fd_{std::move(fd)} {}
  std::optional<std::string> tag_now() const;

  FileDescriptor fd_;
  std::int64_t size_ = 0;
  std::string tag_;
};

/// Bytes begin to end of a file, end not included. Empty: the file has none of the bytes that were asked for.
struct FilePart {
  std::int64_t begin = 0, end = 0;
};

/// What a Range header asks for. One range is served; several, and what is no range of bytes, are as if there were no
/// header (RFC 9110 section 14.2).
std::optional<FilePart> asked_part(const std::string& range, std::int64_t size);

}  // namespace tributary::play
