#pragma once

#include <functional>

namespace tributary {

/// Runs `work` in a process of its own, detached from the terminal, and returns when it has called on_ready.
/// What work throws before is thrown here, as std::runtime_error; what it throws afterwards goes to the
/// system log.
void run_in_background(const std::function<void(const std::function<void()>& on_ready)>& work);

}  // namespace tributary
