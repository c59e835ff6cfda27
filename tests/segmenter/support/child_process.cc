#include "child_process.hh"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace tributary::segmenter {
namespace {

std::string content_of(int file) {
  std::string text;
  std::array<char, 65536> buffer{};
  lseek(file, 0, SEEK_SET);
  for (ssize_t count = 0; (count = read(file, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

void limit_file_size(std::size_t largest) {
  ::signal(SIGXFSZ, SIG_IGN);  // so that write() fails instead
  const rlimit limit{largest, largest};
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, Settings settings)
    : out_{memfd_create("out", MFD_CLOEXEC)}, error_{memfd_create("error", MFD_CLOEXEC)} {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> input{};
  if (pipe2(input.data(), O_CLOEXEC) != 0) throw std::runtime_error{"pipe failed"};
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error{"fork failed"};
  if (pid_ == 0) {
    if (settings.largest_file) limit_file_size(*settings.largest_file);
    dup2(input[0], STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    dup2(error_, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(input[0]);
  input_ = input[1];
  if (!settings.feed_input) close(std::exchange(input_, -1));
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (input_ >= 0) close(input_);
  close(out_);
  close(error_);
}

void ChildProcess::feed(const std::string& bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(input_, bytes.data() + done, bytes.size() - done);
    if (written < 0) throw std::runtime_error{"the program does not read its input"};
    done += static_cast<std::size_t>(written);
  }
}

void ChildProcess::signal(int number) const { kill(pid_, number); }

Outcome ChildProcess::wait() {
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out_), content_of(error_)};
}

Outcome run(const std::vector<std::string>& arguments) { return ChildProcess{arguments}.wait(); }

std::string must_run(const std::vector<std::string>& arguments) {
  const Outcome outcome = run(arguments);
  if (outcome.exit_code != 0) throw std::runtime_error{arguments.at(0) + ": " + outcome.error};
  return outcome.out;
}

}  // namespace tributary::segmenter
