#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// The earlier of two deadlines; nothing if neither exists.
inline std::optional<TimePoint> earlier(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace tributary
