#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// Ticks of a track in other units, to the nearest; `units_per_second` of them are a second.
inline std::int64_t rounded(std::uint64_t ticks, std::uint32_t timescale, int units_per_second) {
  return std::llround(static_cast<long double>(ticks) * units_per_second / timescale);
}

inline std::uint64_t total_ticks(const Track& track) {
  return std::accumulate(track.durations.begin(), track.durations.end(), std::uint64_t{0});
}

}  // namespace tributary::segmenter
