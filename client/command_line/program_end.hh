#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tributary {

/// The exit status of every program after a UsageError.
inline constexpr int kWrongUsage = 2;

/// Thrown when the command line was answered (help, version) or was wrong. The answer or the error has been printed.
struct CommandLineEnd {
  int exit_status;
  std::string problem{};  // the error, without the name of the program
};

/// The command line is wrong. The text names the wrong word, and says what is expected in its place.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls `read` with words of the command line: its std::invalid_argument becomes a UsageError. Elsewhere, a
/// std::invalid_argument says nothing about the command line.
template <typename Read, typename... Words>
auto read_words(Read read, Words&&... words) -> decltype(read(std::forward<Words>(words)...)) {
  try {
    return read(std::forward<Words>(words)...);
  } catch (const std::invalid_argument& error) {
    throw UsageError{error.what()};
  }
}

/// How a program ends that threw an exception (docs/errors.md).
struct ErrorEnds {
  std::string program;  // its name, which stands before each text
  /// The exit status after any other exception; empty: 1.
  std::function<int(const std::exception&)> other{};
  /// Called for each error, those of the command line too, by programs that tell errors in another form as well.
  std::function<void(int status, const std::string& text)> tell{};
};

/// Calls `run`, which returns the exit status. An exception of `run` is told, and gives the exit status. A run is no
/// success if standard output did not take all that it printed.
int run_program(const ErrorEnds& ends, const std::function<int()>& run);

}  // namespace tributary
