#pragma once

#include <algorithm>
#include <cstdint>

namespace tributary {

/// Rounds towards zero. Numbers beyond 2^61 become that, and what is no number becomes the least: C++ leaves open what
/// such conversions give, and a file of another session may hold any number.
constexpr std::int64_t whole_number(double value) {
  constexpr double kMost = 0x1p61;
  return static_cast<std::int64_t>(std::min(kMost, std::max(-kMost, value)));
}

}  // namespace tributary
