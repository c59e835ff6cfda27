#pragma once

#include <functional>

namespace tributary {

/// Runs `work` in a process of its own, detached from the terminal. Returns when `work` has called on_ready. An
/// exception of `work` before that is thrown here, as std::runtime_error; a later one goes to the system log.
void run_in_background(const std::function<void(const std::function<void()>& on_ready)>& work);

}  // namespace tributary
