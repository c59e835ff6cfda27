#include "system/namespace_record.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace tributary {

namespace {

/// No later namespace has it, unlike the inode, until the machine starts anew, which empties /run. Linux before 5.14 does
/// not tell it.
std::string name_of_namespace() {
  const FileDescriptor socket{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  std::uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  if (socket.is_open() && ::getsockopt(socket.get(), SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) == 0)
    return fmt::format("cookie-{}", cookie);
  struct stat space {};
  if (::stat("/proc/self/ns/net", &space) != 0) throw std::system_error(errno, std::generic_category(), "/proc");
  return std::to_string(space.st_ino);
}

/// systemd names the folder of a unit with RuntimeDirectory=, and others may do as it does.
std::string folder_of(const std::string& program) {
  const char* const given = std::getenv("RUNTIME_DIRECTORY");
  return given != nullptr && *given == '/' ? given : "/run/" + program;
}

}  // namespace

NamespaceRecord::NamespaceRecord(const std::string& program, const std::string& name) {
  const std::string folder = folder_of(program);
  path_ = fmt::format("{}/{}-{}", folder, name, name_of_namespace());
  std::filesystem::create_directories(folder);
  while (true) {
    file_ = FileDescriptor{::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path_);
    struct stat opened {};
    // The last program may have removed it in between.
    if (::fstat(file_.get(), &opened) == 0 && opened.st_nlink > 0) return;
  }
}

bool NamespaceRecord::take_alone() { return ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0; }

void NamespaceRecord::share() { ::flock(file_.get(), LOCK_SH); }

std::string NamespaceRecord::contents() const {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(file_.get(), 0, SEEK_SET);
  for (ssize_t size = 0; (size = ::read(file_.get(), part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

void NamespaceRecord::write(const std::string& text) {
  errno = EIO;
  if (::ftruncate(file_.get(), 0) != 0 ||
      ::pwrite(file_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    throw std::system_error(errno, std::generic_category(), path_);
}

void NamespaceRecord::clear() noexcept { [[maybe_unused]] const int cut = ::ftruncate(file_.get(), 0); }

void NamespaceRecord::remove() { ::unlink(path_.c_str()); }

}  // namespace tributary
