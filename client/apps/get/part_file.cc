#include "apps/get/part_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tributary {

PartFile::PartFile(std::string path, Content content) : path_{std::move(path)} {
  if (std::filesystem::is_directory(path_)) throw WriteError{"cannot write " + path_ + ": it is a directory"};
  fd_ = open(part_path(path_).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  check(fd_ >= 0, "open");
  try {
    check(flock(fd_, LOCK_EX | LOCK_NB) == 0, "lock (another download may be writing it)");
    if (content == Content::kFresh) {
      std::remove(state_path(path_).c_str());  // before the bytes that it speaks of
      check(ftruncate(fd_, 0) == 0, "empty");
    }
  } catch (...) {
    close(fd_);
    throw;
  }
}

PartFile::~PartFile() { close(fd_); }

void PartFile::write(DataSize offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), offset.bytes());
    if (written < 0 && errno == EINTR) continue;
    check(written > 0, "write");
    offset += DataSize{written};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void PartFile::sync() { check(fdatasync(fd_) == 0, "write to the disk"); }

DataSize PartFile::size() const {
  struct stat status {};
  check(fstat(fd_, &status) == 0, "look at");
  return DataSize{status.st_size};
}

void PartFile::finish(DataSize expected) {
  if (size() != expected) {
    throw WriteError{fmt::format("{} has {} bytes, expected were {}: somebody else wrote it", part_path(path_),
                                 size().bytes(), expected.bytes())};
  }
  sync();
  check(std::rename(part_path(path_).c_str(), path_.c_str()) == 0, "rename");
  std::remove(state_path(path_).c_str());
}

void PartFile::discard() {
  std::remove(state_path(path_).c_str());
  std::remove(part_path(path_).c_str());
}

void PartFile::check(bool good, const char* what) const {
  if (good) return;
  throw WriteError{fmt::format("cannot {} {}: {}", what, part_path(path_), std::strerror(errno))};
}

}  // namespace tributary
