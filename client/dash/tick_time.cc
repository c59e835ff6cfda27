#include "dash/tick_time.hh"

#include <algorithm>

#include "dash/bounds.hh"

namespace tributary::dash {

// Whole seconds and the rest are converted apart: their products fit, since kLongestTime and kMostTimescale are bounds.

std::int64_t ticks_of(Duration time, std::uint32_t timescale) {
  const Duration bounded = std::clamp(time, -kLongestTime, kLongestTime);
  const auto whole = std::chrono::floor<std::chrono::seconds>(bounded);
  const std::int64_t rest = (bounded - whole).count();
  return whole.count() * timescale + rest * timescale / 1'000'000'000;
}

Duration duration_of(std::int64_t ticks, std::uint32_t timescale) {
  constexpr std::int64_t kLongest = std::chrono::floor<std::chrono::seconds>(kLongestTime).count();
  const std::int64_t whole = ticks / timescale;
  if (whole >= kLongest) return kLongestTime;
  if (whole <= -kLongest) return -kLongestTime;
  return std::chrono::seconds{whole} + Duration{ticks % timescale * 1'000'000'000 / timescale};
}

}  // namespace tributary::dash
