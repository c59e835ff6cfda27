#pragma once

namespace tributary {

/// Thrown when the command line was answered (help, version) or was wrong. The answer or the error has been printed.
struct CommandLineEnd {
  int exit_status;
};

}  // namespace tributary
