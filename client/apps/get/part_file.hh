#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "units/data_size.hh"

namespace tributary {

/// A file could not be written. The text has its name and the reason.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// FILE.part, which becomes FILE when it is whole and not before. Locked, so that two downloads do not write the same.
/// All functions throw WriteError.
class PartFile {
 public:
  enum class Content { kFresh, kKept };
  /// `path`: of the file to be.
  PartFile(std::string path, Content content);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  static std::string part_path(const std::string& path) { return path + ".part"; }
  static std::string state_path(const std::string& path) { return path + ".part.json"; }

  void write(DataSize offset, std::span<const std::byte> bytes);
  /// What was written is on the disk.
  void sync();
  DataSize size() const;
  /// The file is whole and has this size: gives it its name. What was noted about it is removed.
  void finish(DataSize size);
  /// Removes it, and what was noted about it.
  void discard();

 private:
  void check(bool good, const char* what) const;

  std::string path_;
  int fd_ = -1;
};

}  // namespace tributary
