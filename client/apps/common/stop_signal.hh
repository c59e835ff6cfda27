#pragma once

namespace tributary {

/// Readable once the user (or the system) wants the program to end.
int stop_signal_fd();

}  // namespace tributary
