#include "tunnel/key_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "system/fed_command.hh"
#include "system/file_descriptor.hh"

namespace tributary {
namespace {

[[noreturn]] void fail(const std::string& path) { throw std::system_error(errno, std::generic_category(), path); }

}  // namespace

bonding::PresharedKey read_key(const std::string& path) {
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.is_open()) fail(path);
  struct stat state {};
  if (::fstat(file.get(), &state) != 0) fail(path);
  if ((state.st_mode & 077) != 0 && S_ISREG(state.st_mode))
    throw std::runtime_error{fmt::format("{}: other users can read the key (chmod 600 {})", path, shell_quoted(path))};
  std::array<char, 256> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size < 0) fail(path);
  std::string_view line{text.data(), static_cast<std::size_t>(size)};
  line = line.substr(0, line.find_last_not_of(" \r\n") + 1);
  const auto key = bonding::PresharedKey::from_text(line);
  if (!key) throw std::runtime_error{path + ": this is no key (tributary-relay --new-key FILE makes one)"};
  return *key;
}

void write_new_key(const std::string& path) {
  FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (!file.is_open()) fail(path);
  const std::string text = bonding::PresharedKey::random().text() + "\n";
  errno = EIO;
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::close(file.release()) != 0) {
    const int error = errno;
    ::unlink(path.c_str());
    errno = error;
    fail(path);
  }
}

}  // namespace tributary
