#include "link_check/set_up/services.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "system/fed_command.hh"

namespace tributary {
namespace {

constexpr int kPatience_ms = 3000;

/// In the new process: it is to end when this program has gone, and not by the Ctrl-C that is meant for us.
void become(const std::string& command, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) return;
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, file);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
}

void wait_for(pid_t process) {
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Services::~Services() {
  while (!running_.empty()) end(Command{running_.begin()->first});
}

void Services::start(const Command& command) {
  const std::string text = searched_command(command_text(command));
  const pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process == 0) {
    become(text, parent);
    ::_exit(1);
  }
  const auto ended = static_cast<int>(::syscall(SYS_pidfd_open, process, 0U));
  if (ended < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
  running_[command] = {process, FileDescriptor{ended}};
}

void Services::end(const Command& command) {
  const auto found = running_.find(command);
  if (found == running_.end()) return;
  const Running running = std::move(found->second);
  running_.erase(found);
  ::kill(running.process, SIGTERM);
  pollfd ended{.fd = running.ended.get(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, kPatience_ms) <= 0) ::kill(running.process, SIGKILL);
  wait_for(running.process);
}

void Services::forget(const Command& command) {
  const auto found = running_.find(command);
  if (found == running_.end()) return;
  wait_for(found->second.process);
  running_.erase(found);
}

}  // namespace tributary
