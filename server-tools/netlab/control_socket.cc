#include "netlab/control_socket.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".sock";
constexpr std::size_t kMostFiles = 4;

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

bool is_private_directory_of_user(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 077) == 0;
}

/// Makes the directory if needed. It is private to the user, and so are the sockets in it.
fs::path control_directory() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool usable = runtime != nullptr && is_private_directory_of_user(runtime);
  fs::path path =
      usable ? fs::path{runtime} / "tributary-netlab" : fs::path{fmt::format("/tmp/tributary-netlab-{}", ::geteuid())};
  if (::mkdir(path.c_str(), 0700) < 0 && errno != EEXIST) fail("make " + path.string());
  if (!is_private_directory_of_user(path)) {
    throw std::runtime_error(path.string() + " is not a directory private to this user: remove it");
  }
  return path;
}

fs::path socket_path(const std::string& lab_name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (lab_name.empty() || lab_name.size() > 40 || lab_name.find_first_not_of(kAllowed) != std::string::npos) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is no name of a lab: expected up to 40 letters, digits, \"-\" and \"_\"", lab_name));
  }
  return control_directory() / (lab_name + std::string{kSuffix});
}

sockaddr_un address_of(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path) throw std::runtime_error(path.string() + " is too long");
  path.native().copy(address.sun_path, path.native().size());
  return address;
}

FileDescriptor make_socket() {
  FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!socket.is_open()) fail("make a socket");
  return socket;
}

std::optional<ControlConnection> connect_to(const fs::path& path) {
  FileDescriptor socket = make_socket();
  const sockaddr_un address = address_of(path);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return ControlConnection{std::move(socket)};
  }
  if (errno == ENOENT || errno == ECONNREFUSED) return std::nullopt;  // refused: a killed lab has left the file
  fail("connect to " + path.string());
}

}  // namespace

void ControlConnection::send(const nlohmann::json& message, std::span<const int> files) {
  const std::string line = message.dump() + '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    iovec text{const_cast<char*>(line.data() + sent), line.size() - sent};
    msghdr header{};
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostFiles * sizeof(int))> control{};
    if (sent == 0 && !files.empty()) {
      header.msg_control = control.data();
      header.msg_controllen = CMSG_SPACE(files.size_bytes());
      cmsghdr* rights = CMSG_FIRSTHDR(&header);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(files.size_bytes());
      std::memcpy(CMSG_DATA(rights), files.data(), files.size_bytes());
    }
    const ssize_t size = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL);
    if (size < 0) fail("send to a control socket");
    sent += static_cast<std::size_t>(size);
  }
}

bool ControlConnection::read() {
  std::array<char, 65536> buffer;  // NOLINT: filled by recvmsg
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostFiles * sizeof(int))> control{};
  iovec text{buffer.data(), buffer.size()};
  msghdr header{};
  header.msg_iov = &text;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC);
  if (size < 0 && errno == EAGAIN) return true;
  if (size < 0 && errno != ECONNRESET) fail("read from a control socket");
  for (cmsghdr* rights = CMSG_FIRSTHDR(&header); rights != nullptr; rights = CMSG_NXTHDR(&header, rights)) {
    std::array<int, kMostFiles> files{};
    const std::size_t bytes = std::min(rights->cmsg_len - CMSG_LEN(0), sizeof files);
    std::memcpy(files.data(), CMSG_DATA(rights), bytes);
    for (const int fd : std::span{files}.first(bytes / sizeof(int))) files_.emplace_back(fd);
  }
  if (size <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

std::optional<nlohmann::json> ControlConnection::take_message() {
  const std::size_t end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return nlohmann::json::parse(line);
}

FileDescriptor ControlConnection::open_peer_process() const {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) fail("ask who holds a control socket");
  FileDescriptor process{static_cast<int>(::syscall(SYS_pidfd_open, peer.pid, 0))};
  if (!process.is_open()) fail("look at the process of a lab");
  return process;
}

bool wait_until_readable(int fd, std::optional<Duration> limit) {
  const auto milliseconds = limit ? std::chrono::ceil<std::chrono::milliseconds>(*limit).count() : -1;
  pollfd file{.fd = fd, .events = POLLIN, .revents = 0};
  const int result = ::poll(&file, 1, static_cast<int>(std::min<std::int64_t>(milliseconds, INT_MAX)));
  if (result < 0) fail("wait for a file");
  return result > 0;
}

ControlListener::ControlListener(const std::string& lab_name) : path_{socket_path(lab_name)}, socket_{make_socket()} {
  // The lock lets one process at a time check a name and take it.
  const FileDescriptor directory{::open(path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!directory.is_open() || ::flock(directory.get(), LOCK_EX) < 0) fail("lock " + path_.parent_path().string());
  if (connect_to(path_)) {
    throw std::runtime_error(fmt::format(
        "the lab \"{0}\" is up already: end it with tributary-netlab down {0}, or take another name", lab_name));
  }
  fs::remove(path_);
  const sockaddr_un address = address_of(path_);
  if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0 ||
      ::chmod(path_.c_str(), 0700) < 0 || ::listen(socket_.get(), 16) < 0) {
    fail("listen on " + path_.string());
  }
}

ControlListener::~ControlListener() {
  std::error_code ignored;  // the next lab of that name replaces a file left behind
  fs::remove(path_, ignored);
}

ControlConnection ControlListener::accept() {
  FileDescriptor socket{::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
  if (!socket.is_open()) fail("accept on " + path_.string());
  return ControlConnection{std::move(socket)};
}

std::optional<ControlConnection> connect_to_lab(const std::string& lab_name) {
  return connect_to(socket_path(lab_name));
}

std::vector<std::string> running_labs() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator{control_directory()}) {
    if (entry.path().extension() == kSuffix && connect_to(entry.path())) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace tributary
