#include "relay/forwarding.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/run/tributary-relay";
const std::string kSettings = "/proc/sys/net/";

std::string read(const std::string& setting) {
  std::ifstream file{kSettings + setting};
  std::string value;
  file >> value;
  return value;
}

bool write(const std::string& setting, const std::string& value) {
  std::ofstream file{kSettings + setting};
  file << value << std::flush;
  return file.good();
}

/// Interfaces that take routes from routers, which they would not do any more once IPv6 is forwarded.
std::vector<std::string> taking_routes() {
  std::vector<std::string> settings;
  std::error_code error;
  for (const auto& interface : fs::directory_iterator{kSettings + "ipv6/conf", error}) {
    const std::string setting = "ipv6/conf/" + interface.path().filename().string() + "/accept_ra";
    if (read(setting) == "1") settings.push_back(setting);
  }
  return settings;
}

std::string contents(int file) {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t size = 0; (size = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Forwarding::Forwarding(bool ipv6) {
  struct stat space {};
  if (::stat("/proc/self/ns/net", &space) != 0) throw std::system_error(errno, std::generic_category(), "/proc");
  path_ = fmt::format("{}/forwarding-{}", kFolder, space.st_ino);
  open_record();
  if (::flock(record_.get(), LOCK_EX | LOCK_NB) == 0) {
    put_back();  // after a relay that was killed
    turn_on(ipv6);
  }
  ::flock(record_.get(), LOCK_SH);
}

void Forwarding::open_record() {
  fs::create_directories(kFolder);
  while (true) {
    record_ = FileDescriptor{::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (!record_.is_open()) throw std::system_error(errno, std::generic_category(), path_);
    struct stat opened {};
    // The last relay may have removed it in between.
    if (::fstat(record_.get(), &opened) == 0 && opened.st_nlink > 0) return;
  }
}

void Forwarding::turn_on(bool ipv6) {
  std::vector<std::pair<std::string, std::string>> wanted{{"ipv4/ip_forward", "1"}};
  if (ipv6) {
    for (const std::string& setting : taking_routes()) wanted.emplace_back(setting, "2");
    wanted.emplace_back("ipv6/conf/all/forwarding", "1");
  }
  std::string before;
  for (const auto& [setting, value] : wanted) {
    const std::string now = read(setting);
    if (!now.empty() && now != value) before = fmt::format("{} {}\n", setting, now) + before;
  }
  errno = EIO;
  if (::write(record_.get(), before.data(), before.size()) != static_cast<ssize_t>(before.size()))
    throw std::system_error(errno, std::generic_category(), path_);
  for (const auto& [setting, value] : wanted) {
    const std::string now = read(setting);
    if (now.empty() || now == value || write(setting, value)) continue;
    put_back();
    throw std::runtime_error{fmt::format(
        "cannot let this machine forward packets: {}{} cannot be written; --no-nat does without", kSettings, setting)};
  }
}

/// What the record says, which is empty then.
void Forwarding::put_back() {
  std::istringstream lines{contents(record_.get())};
  for (std::string setting, value; lines >> setting >> value;) write(setting, value);
  [[maybe_unused]] const int cut = ::ftruncate(record_.get(), 0);
  ::lseek(record_.get(), 0, SEEK_SET);
}

Forwarding::~Forwarding() {
  if (::flock(record_.get(), LOCK_EX | LOCK_NB) != 0) return;  // another one runs
  put_back();
  ::unlink(path_.c_str());
}

}  // namespace tributary
