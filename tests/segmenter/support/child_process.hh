#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tributary::segmenter {

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal
  std::string out, error;
};

/// A program that runs beside the test. It is killed if the test ends first.
class ChildProcess {
 public:
  struct Settings {
    bool feed_input = false;                  // with feed(); otherwise the input is empty
    std::optional<std::size_t> largest_file;  // the program cannot write more than so many bytes to a file
  };

  explicit ChildProcess(const std::vector<std::string>& arguments) : ChildProcess{arguments, Settings{}} {}
  ChildProcess(const std::vector<std::string>& arguments, Settings settings);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  void feed(const std::string& bytes) const;
  void signal(int number) const;
  pid_t id() const { return pid_; }
  Outcome wait();

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int out_ = -1, error_ = -1;  // files without a name
};

Outcome run(const std::vector<std::string>& arguments);
/// What the program prints. Throws std::runtime_error when it fails.
std::string must_run(const std::vector<std::string>& arguments);

}  // namespace tributary::segmenter
