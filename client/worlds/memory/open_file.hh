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

/// A file that is open, and is what its name says: no symbolic link is followed. What fails throws std::runtime_error that names it.
class OpenFile {
 public:
  OpenFile(std::filesystem::path path, int flags)
      : path_{std::move(path)}, fd_{open(path_.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600)} {
    if (!fd_.is_open()) fail("open");
  }

  const std::filesystem::path& path() const { return path_; }
  /// Nobody else has it locked from now on, until this is closed, if only by the end of the program.
  void lock() {
    while (flock(fd_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) fail("lock");
    }
  }
  /// False if somebody else has.
  bool try_lock() { return flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }
  /// On the disk when this returns.
  void write_whole(std::string_view text) {
    write_at_begin(text);
    if (fsync(fd_.get()) != 0) fail("write");
  }
  /// There when this program is killed.
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
