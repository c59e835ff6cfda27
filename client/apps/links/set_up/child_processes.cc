#include "apps/links/set_up/child_processes.hh"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

namespace tributary {
namespace {

constexpr int kPatience_ms = 3000;
constexpr int kNotFound = 127;

std::string searched_folders() {
  const char* const path = std::getenv("PATH");
  return (path == nullptr ? "/usr/bin:/bin" : std::string{path}) + ":/usr/sbin:/sbin";
}

/// `ends_with_us`: it gets SIGTERM when this program is gone.
pid_t spawn(const Command& command, bool quietly, bool ends_with_us) {
  const std::string path = searched_folders();
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process > 0) return process;
  // A Ctrl-C is for us: we end it in our time.
  if (ends_with_us) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(quietly ? nothing : STDERR_FILENO, STDOUT_FILENO);
  if (quietly) ::dup2(nothing, STDERR_FILENO);
  ::setenv("PATH", path.c_str(), 1);
  ::execvp(words[0], words.data());
  ::_exit(kNotFound);
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

bool program_exists(const std::string& name) {
  std::istringstream folders{searched_folders()};
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

ChildProcesses::~ChildProcesses() {
  while (!running_.empty()) end(Command{running_.begin()->first});
}

bool ChildProcesses::run(const Command& command, bool quietly) {
  const int status = wait_for(spawn(command, quietly, false));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void ChildProcesses::start(const Command& command) {
  const pid_t process = spawn(command, true, true);
  const auto ended = static_cast<int>(::syscall(SYS_pidfd_open, process, 0U));
  if (ended < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
  running_[command] = {process, FileDescriptor{ended}};
}

void ChildProcesses::end(const Command& command) {
  const auto found = running_.find(command);
  if (found == running_.end()) return;
  const Running running = std::move(found->second);
  running_.erase(found);
  ::kill(running.process, SIGTERM);
  pollfd ended{.fd = running.ended.get(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, kPatience_ms) <= 0) ::kill(running.process, SIGKILL);
  wait_for(running.process);
}

void ChildProcesses::forget(const Command& command) {
  const auto found = running_.find(command);
  if (found == running_.end()) return;
  wait_for(found->second.process);
  running_.erase(found);
}

}  // namespace tributary
