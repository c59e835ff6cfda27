#pragma once

namespace tributary {

/// A descriptor that becomes readable when the program shall end: by the user, by the system, or with its terminal. Always
/// the same one.
int stop_signal_fd();

}  // namespace tributary
