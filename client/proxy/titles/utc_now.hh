#pragma once

#include <chrono>

#include "units/utc_time.hh"

namespace tributary::proxy {

inline UtcTime utc_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

}  // namespace tributary::proxy
