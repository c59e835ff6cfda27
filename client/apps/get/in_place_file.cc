#include "apps/get/in_place_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace tributary {

namespace fs = std::filesystem;

std::unique_ptr<InPlaceFile> InPlaceFile::at(const std::string& path) {
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;
  std::error_code ignored;
  if (const fs::path target = fs::read_symlink(path, ignored); !target.empty() && (!there || S_ISREG(status.st_mode))) {
    const fs::path file = there ? fs::canonical(path) : (fs::path{path}.parent_path() / target).lexically_normal();
    throw WriteError{fmt::format("{} is a symbolic link: say -o {}, or remove it", path, file.string())};
  }
  if (!there || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return nullptr;
  std::signal(SIGPIPE, SIG_IGN);  // that nobody reads any more is a failure to write
  const int fd = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) throw WriteError{fmt::format("cannot open {}: {}", path, std::strerror(errno))};
  return std::unique_ptr<InPlaceFile>{new InPlaceFile{path, fd}};
}

InPlaceFile::InPlaceFile(std::string path, int fd)
    : path_{std::move(path)}, fd_{fd}, any_order_{lseek(fd, 0, SEEK_SET) == 0} {}

InPlaceFile::~InPlaceFile() { close(fd_); }

void InPlaceFile::write(DataSize offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        any_order_ ? pwrite(fd_, bytes.data(), bytes.size(), offset.bytes()) : ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
    offset += DataSize{written};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

/// What has no disk has nothing to wait for.
void InPlaceFile::finish(DataSize /*size*/) {
  if (fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS)
    throw WriteError{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
}

}  // namespace tributary
