#include "download/files/in_place_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace tributary {

std::unique_ptr<InPlaceFile> InPlaceFile::at(const NamedFile& file) {
  struct stat status {};
  const bool there = stat(file.path.c_str(), &status) == 0;
  if (!file.descriptor && (!there || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return nullptr;
  std::signal(SIGPIPE, SIG_IGN);  // that nobody reads any more is a failure to write
  const int fd = file.descriptor ? fcntl(*file.descriptor, F_DUPFD_CLOEXEC, 0)
                                 : open(file.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) throw WriteError{fmt::format("cannot open {}: {}", file.path, std::strerror(errno))};
  return std::unique_ptr<InPlaceFile>{new InPlaceFile{file.path, fd}};
}

InPlaceFile::InPlaceFile(std::string path, int fd)
    : path_{std::move(path)},
      fd_{fd},
      begin_{lseek(fd, 0, SEEK_CUR)},
      any_order_{begin_ >= 0 && (fcntl(fd, F_GETFL) & O_APPEND) == 0} {}

void InPlaceFile::write(DataSize offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = any_order_ ? pwrite(fd_.get(), bytes.data(), bytes.size(), begin_ + offset.bytes())
                                       : ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
    offset += DataSize{written};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    written_ = std::max(written_, offset);
  }
}

/// A FIFO or a terminal has no disk: EINVAL and EROFS from fdatasync() are no failures.
void InPlaceFile::finish(DataSize size) {
  if (any_order_) {
    const std::int64_t end = begin_ + size.bytes();
    const bool too_much = written_ > size;  // by an attempt at a version that was larger
    if ((too_much && ftruncate(fd_.get(), end) != 0 && errno != EINVAL) || lseek(fd_.get(), end, SEEK_SET) < 0)
      throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
  }
  if (fdatasync(fd_.get()) != 0 && errno != EINVAL && errno != EROFS)
    throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
}

}  // namespace tributary
