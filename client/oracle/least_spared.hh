#pragma once

#include <span>

#include "oracle/link_capacity.hh"

namespace tributary {

/// Of a session that has played without a miss, as far as it matters for what the free links could have brought.
struct PlayedSegments {
  std::span<const DataSize> sizes;
  std::span<const Duration> durations;
  TimePoint start;                    // of playout
  std::uint32_t buffer_segments = 6;  // at most so many are requested or complete, and do not play yet
};

/// The fewest bytes of these segments that other links than the free ones have to bring. The free links know the future, lose
/// no time, and bring what is due first, as far ahead as the buffer lets them; what they have not brought of a segment when it
/// is due, somebody else has.
DataSize least_spared(const PlayedSegments& played, const LinkCapacity& free);

}  // namespace tributary
