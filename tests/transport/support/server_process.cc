#include "server_process.hh"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "loopback_socket.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::array<const char*, 4> kPlaces{"/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"};

pid_t start(const std::vector<std::string>& command) {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no server behind
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  for (const std::string place : kPlaces) execv((place + command[0]).c_str(), arguments.data());
  _exit(127);
}

std::string of_process(pid_t process, const std::string& what) {
  return "/proc/" + std::to_string(process) + "/" + what;
}

/// What a descriptor of a socket leads to that listens on the port in the network namespace of the process, as proc(5)
/// names it. Empty: none listens.
std::string listening_socket(pid_t process, const std::string& address, std::uint16_t port) {
  constexpr auto kListens = "0A";
  std::ifstream sockets{of_process(process, address == "[::1]" ? "net/tcp6" : "net/tcp")};
  std::string line;
  while (std::getline(sockets, line)) {
    std::istringstream fields{line};
    std::string number, local, remote, state, queues, timer, retransmits, user, timeout, inode;
    fields >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
    const auto colon = local.find(':');
    if (state != kListens || colon == std::string::npos) continue;
    if (std::stoul(local.substr(colon + 1), nullptr, 16) == port) return "socket:[" + inode + "]";
  }
  return {};
}

bool has_open(pid_t process, const std::string& file) {
  if (file.empty()) return false;
  std::error_code none_left;
  const std::filesystem::directory_iterator open{of_process(process, "fd"), none_left};
  return std::ranges::any_of(open, [&](const auto& descriptor) {
    std::error_code closed_since;
    return std::filesystem::read_symlink(descriptor.path(), closed_since) == file;
  });
}

}  // namespace

bool is_installed(const std::string& program) {
  return std::ranges::any_of(kPlaces,
                             [&](const std::string& place) { return access((place + program).c_str(), X_OK) == 0; });
}

ServerProcess::ServerProcess(const std::string& address, const Command& command) {
  std::string program;
  constexpr int kAttempts = 3;  // another process may take the free port first
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    port_ = free_port(address);
    const std::vector<std::string> started = command(port_);
    program = started[0];
    process_ = start(started);
    if (answers(address)) return;
    waitpid(process_, nullptr, 0);
  }
  throw std::runtime_error{program + " does not start; is it installed?"};
}

ServerProcess::~ServerProcess() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

bool ServerProcess::answers(const std::string& address) const {
  const auto give_up = std::chrono::steady_clock::now() + 10s;
  while (std::chrono::steady_clock::now() < give_up) {
    if (can_connect(address, port_) && has_open(process_, listening_socket(process_, address, port_))) return true;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) != 0) return false;
    std::this_thread::sleep_for(10ms);
  }
  kill(process_, SIGKILL);
  return false;
}

}  // namespace tributary
