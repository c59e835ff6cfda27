#pragma once

#include <chrono>

namespace tributary::testing {

/// What waits for nobody takes no longer, on a machine however loaded; a connection alone is waited for for 4 s.
inline constexpr std::chrono::seconds kAtOnce{3};

}  // namespace tributary::testing
