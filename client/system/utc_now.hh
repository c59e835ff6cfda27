#pragma once

#include <chrono>

#include "units/utc_time.hh"

namespace tributary {

/// By the clock of this machine, which may be wrong, and set at any time.
inline UtcTime utc_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

}  // namespace tributary
