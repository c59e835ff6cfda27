#pragma once

#include <stdexcept>
#include <string>

namespace tributary::segmenter {

/// The exit status of the program. Scripts rely on the numbers (segmenter/README.md).
enum class ExitCode {
  kOk = 0,
  kInput = 1,   // the input cannot be read or has no picture
  kUsage = 2,   // the command line is wrong, or its directory is not for this
  kCodec = 3,   // an encoder or filter refused
  kOutput = 4,  // the output cannot be written: permission, full disk
  kCheckFailed = 5,
  kInterrupted = 130,
};

/// The reason why the work cannot go on, and the side to blame. Caught once, in main.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& what) : std::runtime_error{what}, code_{code} {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace tributary::segmenter
