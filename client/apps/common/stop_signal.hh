#pragma once

namespace tributary {

/// Readable once the user, the system, or the terminal as it is closed, wants the program to end.
int stop_signal_fd();

}  // namespace tributary
