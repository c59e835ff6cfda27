#pragma once

#include <cstdint>

#include "units/session_clock.hh"

namespace tributary::dash {

/// Rounded down; times beyond kLongestTime in either direction count as kLongestTime.
std::int64_t ticks_of(Duration time, std::uint32_t timescale);
/// Rounded towards zero; more than kLongestTime in either direction counts as kLongestTime.
Duration duration_of(std::int64_t ticks, std::uint32_t timescale);

/// Rounded down; also for negative numbers.
constexpr std::int64_t floor_of(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}
/// Rounded up; also for negative numbers.
constexpr std::int64_t ceiling_of(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
}

}  // namespace tributary::dash
