#include "netlab/background.hh"

#include <fcntl.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "system/file_descriptor.hh"

namespace tributary {
namespace {

constexpr char kReady = '\0';  // alone: the work is ready; any other text is an error

void write_all(const FileDescriptor& fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(fd.get(), text.data(), text.size());
    if (size <= 0) return;  // the reader has gone
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string read_all(const FileDescriptor& fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t size = ::read(fd.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

void leave_terminal() {
  const FileDescriptor nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing.get(), standard);
}

/// Closes the files of the program that started us: a lock or the pipe of a shell must not stay open.
void close_all_but(int kept) {
  ::close_range(STDERR_FILENO + 1, static_cast<unsigned>(kept) - 1, 0);
  ::close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
}

int be_the_background(FileDescriptor report, const std::function<void(const std::function<void()>&)>& work) {
  ::setsid();
  close_all_but(report.get());
  std::optional<FileDescriptor> reports_to{std::move(report)};
  try {
    if (::chdir("/") < 0) throw std::system_error(errno, std::generic_category(), "change to /");
    work([&] {
      leave_terminal();
      write_all(*reports_to, {&kReady, 1});
      reports_to.reset();
    });
    return 0;
  } catch (const std::exception& error) {
    if (reports_to) {
      write_all(*reports_to, error.what());
    } else {
      ::syslog(LOG_DAEMON | LOG_ERR, "tributary-netlab: %s", error.what());
    }
    return 1;
  }
}

}  // namespace

void run_in_background(const std::function<void(const std::function<void()>& on_ready)>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) < 0) throw std::system_error(errno, std::generic_category(), "make a pipe");
  FileDescriptor report{ends[0]}, reports_to{ends[1]};
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "start a process");
  if (process == 0) {
    report = FileDescriptor{};
    std::exit(be_the_background(std::move(reports_to), work));
  }
  reports_to = FileDescriptor{};
  const std::string outcome = read_all(report);
  if (outcome == std::string_view{&kReady, 1}) return;
  ::waitpid(process, nullptr, 0);
  throw std::runtime_error(outcome.empty() ? "the background process ended unexpectedly" : outcome);
}

}  // namespace tributary
