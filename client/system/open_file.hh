#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "system/file_descriptor.hh"

namespace tributary {

/// An open file, reached without a symbolic link at its name. Every call throws std::runtime_error that names the file
/// if it fails.
class OpenFile {
 public:
  OpenFile(std::filesystem::path path, int flags)
      : path_{std::move(path)}, fd_{open(path_.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600)} {
    if (!fd_.is_open()) fail("open");
  }

  const std::filesystem::path& path() const { return path_; }
  /// Waits for the lock, and holds it until the file is closed, at the latest by the end of the program.
  void lock() {
    while (flock(fd_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) fail("lock");
    }
  }
  /// False if another program holds the lock.
  bool try_lock() { return flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }
  /// The text is on the disk when the call returns.
  void write_whole(std::string_view text) {
    write_at_begin(text);
    if (fsync(fd_.get()) != 0) fail("write");
  }
  /// The text stays if this program is killed, but not through a loss of power.
  void write_at_begin(std::string_view text) {
    off_t at = 0;
    while (!text.empty()) {
      const ssize_t written = pwrite(fd_.get(), text.data(), text.size(), at);
      if (written < 0 && errno != EINTR) fail("write");
      if (written <= 0) continue;
      text.remove_prefix(static_cast<std::size_t>(written));
      at += written;
    }
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path_.string(), std::strerror(errno)));
  }
  std::filesystem::path path_;
  FileDescriptor fd_;
};

}  // namespace tributary
