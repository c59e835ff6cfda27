#pragma once

#include <filesystem>
#include <string>

#include "system/file_descriptor.hh"

namespace tributary {

/// Tells when the file at a path is written, replaced or removed, or comes to be. Its folder must be there.
class WatchedFile {
 public:
  /// Throws std::system_error.
  explicit WatchedFile(const std::filesystem::path& path);

  /// Readable when something in the folder has changed.
  int file_descriptor() const { return inotify_.get(); }
  /// Whether the file has changed since the last call.
  bool changed();

 private:
  std::string name_;
  FileDescriptor inotify_;
};

}  // namespace tributary
