#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dash/addressing.hh"

namespace tributary::dash {

/// Which segments are looked for, in ticks since the start of the period.
struct TickWindow {
  std::optional<std::int64_t> period_end;  // segments that start there or later are none
  std::optional<std::int64_t> after;       // segments that end there or earlier have gone
  std::optional<std::int64_t> until;       // segments that end later are not there yet
};

/// Where a segment is on the timeline of its media.
struct GridSegment {
  std::int64_t index = 0;  // from the first segment of the period
  std::int64_t start = 0, duration = 0;
  std::int64_t parts = 1;

  bool operator==(const GridSegment&) const = default;
};

struct GridSegments {
  std::vector<GridSegment> list;
  std::optional<std::int64_t>
      next_end;           // of the first segment that is not there yet, in ticks since the period's start
  bool endless = false;   // nothing bounds the segments; the list is empty
  bool too_many = false;  // more than kMostSegments; with `until`, the list has the last of them
};

/// The segments in a window, of equal length or along a timeline. `most`: there are no more than so many in the period,
/// as a list or endNumber says. Takes time in proportion to the timeline and the list that comes of it.
GridSegments segments_in(const SegmentTimes& times, std::optional<std::int64_t> most, const TickWindow& window);

}  // namespace tributary::dash
