#include "download/files/part_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "download/files/file_name.hh"
#include "presentation/json/json_error.hh"
#include "system/state_files.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

/// Why a file that stands there may not be one that an earlier download of this user left behind. Where another user
/// owns the directory, what is in it may be written by that user at any time, whoever owns it.
std::optional<std::string> why_not_ours(const struct stat& file, const std::string& path) {
  if (!S_ISREG(file.st_mode)) return "it is no regular file";
  if (file.st_nlink > 1) return "it has other names as well";
  struct stat directory {};
  const fs::path parent = fs::path{path}.parent_path();
  if (file.st_uid == geteuid()) return std::nullopt;
  if (stat(parent.empty() ? "." : parent.c_str(), &directory) == 0 && file.st_uid == directory.st_uid)
    return std::nullopt;
  return "it belongs to another user";
}

/// The note's name is the longest of those beside the file, before it takes the place of the last one (replace_file()).
void expect_name_fits(const std::string& path) {
  const fs::path file{path};
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  const long most = pathconf(folder.c_str(), _PC_NAME_MAX);
  const std::size_t added = PartFile::state_path("").size() + std::string_view{".new"}.size();
  const std::size_t size = file.filename().string().size();
  if (most < 0 || size + added <= static_cast<std::size_t>(most)) return;
  throw WriteError{fmt::format("cannot write {}: the name has {} bytes, and at most {} fit here: say a shorter -o FILE",
                               path, size, static_cast<std::size_t>(most) - added)};
}

/// Room on the disk for FILE.part.json, as long as it is open. None where the file system knows no files without a name.
FileDescriptor room_beside(const std::string& path) {
  constexpr off_t kRoom = 65536;
  const fs::path parent = fs::path{path}.parent_path();
  FileDescriptor room{open(parent.empty() ? "." : parent.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)};
  if (room.is_open() && posix_fallocate(room.get(), 0, kRoom) != 0) return {};
  return room;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw WriteError{fmt::format("{} is there already, and {}: move it away, or say -o FILE", path, why)};
}

/// A file that stands there already; none, and errno, if there is none.
FileDescriptor open_existing(const std::string& path, int flags) {
  FileDescriptor fd{open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (!fd.is_open() && errno == ELOOP) refuse(path, "it is a symbolic link");
  return fd;
}

std::string text_in(int fd, const std::string& path) {
  std::string text;
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t count = read(fd, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw WriteError{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

PartFile::PartFile(std::string path, Content content, std::optional<Checksum> checksum)
    : path_{std::move(path)}, checksum_{std::move(checksum)} {
  if (is_folder(path_)) throw WriteError{"cannot write " + path_ + ": it is a directory"};
  expect_name_fits(path_);
  const bool noted_before = content == Content::kFresh && noted();
  open_own();
  if (content == Content::kFresh) begin_anew(noted_before);
  room_ = room_beside(path_);
}

void PartFile::open_own() {
  const std::string part = part_path(path_);
  fd_ = FileDescriptor{open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  const bool there = !fd_.is_open() && errno == EEXIST;
  if (there) fd_ = open_existing(part, O_RDWR);
  if (!fd_.is_open())
    throw WriteError{fmt::format("cannot write {}: {}: say another -o FILE", part, std::strerror(errno))};
  check(flock(fd_.get(), LOCK_EX | LOCK_NB) == 0, "lock (another download may be writing it)");
  if (!stands_there()) throw WriteError{fmt::format("cannot write {}: another download has just ended there", part)};
  if (!there) return;
  if (const auto why = why_not_ours(status(), part)) refuse(part, *why);
}

bool PartFile::noted() const {
  try {
    return state_beside(path_).has_value();
  } catch (const JsonError& error) {
    refuse(state_path(path_), fmt::format("no download has left it behind ({})", error.what()));
  }
}

/// Only what is noted to be left behind by a download is overwritten.
void PartFile::begin_anew(bool noted) {
  if (!noted && size() > DataSize{}) {
    refuse(part_path(path_), fmt::format("no {} says that a download has left it behind", state_path(path_)));
  }
  if (noted) std::remove(state_path(path_).c_str());  // before the bytes that it speaks of
  check(ftruncate(fd_.get(), 0) == 0, "empty");
}

std::optional<DownloadState> PartFile::state_beside(const std::string& path) {
  const std::string name = state_path(path);
  const FileDescriptor fd = open_existing(name, O_RDONLY);
  if (!fd.is_open() && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)) return std::nullopt;
  if (!fd.is_open()) throw WriteError{fmt::format("cannot read {}: {}", name, std::strerror(errno))};
  struct stat status {};
  if (fstat(fd.get(), &status) != 0) throw WriteError{fmt::format("cannot look at {}: {}", name, std::strerror(errno))};
  if (const auto why = why_not_ours(status, name)) refuse(name, *why);
  return state_from_json(text_in(fd.get(), name));
}

void PartFile::write(DataSize offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd_.get(), bytes.data(), bytes.size(), offset.bytes());
    if (written < 0 && errno == EINTR) continue;
    check(written > 0, "write");
    on_disk_ = false;
    offset += DataSize{written};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void PartFile::note(const DownloadState& state) {
  if (!on_disk_) check(fdatasync(fd_.get()) == 0, "write to the disk");  // 20 to 50 ms on some disks, even for nothing
  on_disk_ = true;
  try {
    replace_file(state_path(path_), to_json(state), Kept::kBySystem);  // a URL may have secrets in it
  } catch (const std::runtime_error& error) {
    if (!room_.is_open()) throw WriteError{error.what()};
    room_ = {};
    note(state);
  }
}

void PartFile::cut_to(DataSize most) {
  if (size() > most) check(ftruncate(fd_.get(), most.bytes()) == 0, "shorten");
}

DataSize PartFile::size() const { return DataSize{status().st_size}; }

void PartFile::finish(DataSize expected) {
  if (size() != expected) {
    throw WriteError{
        fmt::format("{} changed on disk: {} bytes, expected {}", part_path(path_), size().bytes(), expected.bytes())};
  }
  try {
    if (checksum_) expect_checksum(fd_.get(), path_, *checksum_);
  } catch (const WrongChecksum&) {
    discard();
    throw;
  }
  check(fdatasync(fd_.get()) == 0, "write to the disk");
  if (!stands_there()) {
    throw WriteError{
        fmt::format("{} is not the file that was written: somebody else moved that away", part_path(path_))};
  }
  check(std::rename(part_path(path_).c_str(), path_.c_str()) == 0, "rename");
  std::remove(state_path(path_).c_str());
}

void PartFile::discard() {
  if (!stands_there()) return;
  std::remove(state_path(path_).c_str());
  std::remove(part_path(path_).c_str());
}

struct stat PartFile::status() const {
  struct stat status {};
  check(fstat(fd_.get(), &status) == 0, "look at");
  return status;
}

bool PartFile::stands_there() const {
  const struct stat open = status();
  struct stat named {};
  return lstat(part_path(path_).c_str(), &named) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

void PartFile::check(bool good, const char* what) const {
  if (good) return;
  throw WriteError{fmt::format("cannot {} {}: {}", what, part_path(path_), std::strerror(errno))};
}

}  // namespace tributary
