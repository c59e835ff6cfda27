#pragma once

#include <span>

#include "oracle/link_capacity.hh"

namespace tributary {

/// A session that has played without a miss, as far as least_spared needs it.
struct PlayedSegments {
  std::span<const DataSize> sizes;
  std::span<const Duration> durations;
  TimePoint start;                    // of playout
  std::uint32_t buffer_segments = 6;  // at most this number is requested or complete and does not play yet
};

/// The fewest bytes of these segments that spared links have to bring. The free links know the future, lose no time,
/// and bring segments in the order of playout, as far ahead as the buffer allows. When a segment is due, the spared
/// links have brought the bytes that the free ones have not.
DataSize least_spared(const PlayedSegments& played, const LinkCapacity& free);

}  // namespace tributary
