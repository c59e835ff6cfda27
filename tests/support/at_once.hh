#pragma once

#include <chrono>

namespace tributary::testing {

/// The most that a call without a wait may take, even on a loaded machine. A wait for a connection would take 4 s.
inline constexpr std::chrono::seconds kAtOnce{3};

}  // namespace tributary::testing
