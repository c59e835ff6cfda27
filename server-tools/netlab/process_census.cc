#include "netlab/process_census.hh"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

namespace tributary {
namespace {

using namespace std::chrono_literals;

bool is_in(const std::filesystem::path& process, std::span<const int> network_namespaces) {
  struct stat here {};
  if (::stat((process / "ns/net").c_str(), &here) < 0) return false;
  return std::ranges::any_of(network_namespaces, [&](int fd) {
    struct stat there {};
    return ::fstat(fd, &there) == 0 && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
  });
}

void signal_all(std::span<const int> network_namespaces, int signal) {
  for (const pid_t process : processes_in(network_namespaces)) ::kill(process, signal);
}

}  // namespace

std::vector<pid_t> processes_in(std::span<const int> network_namespaces) {
  std::vector<pid_t> processes;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc{} || end != name.data() + name.size() || process == ::getpid()) continue;
    if (is_in(entry.path(), network_namespaces)) processes.push_back(process);
  }
  return processes;
}

void end_processes_in(std::span<const int> network_namespaces) {
  signal_all(network_namespaces, SIGTERM);
  for (int i = 0; i < 100 && !processes_in(network_namespaces).empty(); ++i) std::this_thread::sleep_for(20ms);
  signal_all(network_namespaces, SIGKILL);
}

}  // namespace tributary
