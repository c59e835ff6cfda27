#pragma once

namespace tributary {

/// The command line was answered (help, version), or was not understood; the answer has been printed.
struct CommandLineEnd {
  int exit_status;
};

}  // namespace tributary
