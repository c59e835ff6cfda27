#pragma once

#include <algorithm>

#include "units/data_size.hh"

/// Segments are kept in memory, whole. What an origin states, or sends, beyond these bounds is refused.
namespace tributary {

/// Of one file or range of it; ten minutes at 3.4 Mbit/s, or ten seconds at 200 Mbit/s.
inline constexpr DataSize kLargestSegment{256'000'000};

/// Of a file that no manifest lists, where the origin brings all of it to a question for a part.
inline constexpr DataSize kLargestUnlisted{96'000'000};

/// Of all segments that are buffered, or on their way: no further one is begun.
inline constexpr DataSize kMostAhead{256'000'000};

/// Of a file that its manifest describes as `estimate` bytes long. Few segments are longer than twice their estimate.
constexpr DataSize largest_of(DataSize estimate) {
  return std::clamp(8 * std::min(estimate, kLargestSegment), DataSize{32'000'000}, kLargestSegment);
}

}  // namespace tributary
