#include "segmenter/publish/temporary_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "segmenter/failure.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopiedAtOnce = 1 << 20;

}  // namespace

void fail(std::string_view action, const fs::path& path, int error) {
  throw Failure{ExitCode::kOutput, fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error))};
}

TemporaryFile::TemporaryFile(const fs::path& place) : place_{place}, path_{temporary_name(place)} {
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) fail("create the directory of", place, error.value());
  unlink(path_.c_str());  // left by a killed run, or a link that somebody prepared, which must not be followed
  descriptor_ = FileDescriptor{open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (!descriptor_.is_open()) fail("create", place_, errno);
}

TemporaryFile::~TemporaryFile() {
  if (!renamed_) unlink(path_.c_str());
}

void TemporaryFile::write(std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor_.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", place_, written < 0 ? errno : EIO);
    content = content.subspan(static_cast<std::size_t>(written));
  }
}

void TemporaryFile::append(TemporaryFile& other) {
  std::vector<std::byte> buffer(kCopiedAtOnce);
  for (off_t at = 0;;) {
    const ssize_t count = pread(other.descriptor_.get(), buffer.data(), buffer.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", other.path_, errno);
    if (count == 0) return;
    write(std::span{buffer}.first(static_cast<std::size_t>(count)));
    at += count;
  }
}

void TemporaryFile::move_to_place() {
  // Some file systems report a full disk or a lost server only at close().
  if (close(descriptor_.release()) != 0) fail("write", place_, errno);
  if (rename(path_.c_str(), place_.c_str()) != 0) fail("rename to", place_, errno);
  renamed_ = true;
}

fs::path temporary_name(const fs::path& place) {
  return place.parent_path() / fmt::format(".{}.tmp", place.filename().string());
}

}  // namespace tributary::segmenter
