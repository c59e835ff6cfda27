#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "dash/mpd_error.hh"
#include "units/byte_range.hh"

namespace tributary::dash {

/// A segment of one representation in one period, or a part of one that has a file of its own.
struct Segment {
  std::string uri;                   // as written, after substitution; empty: the innermost BaseURL itself
  std::optional<ByteRange> range;    // nothing: the whole file
  std::int64_t start = 0;            // ticks, on the timeline of the media
  std::int64_t duration = 0;         // ticks, as stated: media may deviate by half of it
  std::int64_t number = 0;           // equal for the same segment in later MPDs with the same startNumber; of all parts
  std::int64_t part = 0, parts = 1;  // of the segment with that number
  bool shares_file = false;          // with its other parts (Representation::pieces)

  bool operator==(const Segment&) const = default;
};

struct Segments {
  std::uint32_t timescale = 1;                // ticks per second; may be a multiple of what is stated
  std::int64_t presentation_time_offset = 0;  // the tick at which the period begins
  std::optional<FilePart> init;
  std::vector<Segment> list;

  /// When a tick is played, counted from the start of the period.
  Duration time_in_period(std::int64_t tick) const;
};

/// All segments of a period whose end, or whose list, is known. Segments outside of the period are left out; a last one
/// of equal lengths ends with the period. Throws MpdError, with the place of the representation: where the end is not
/// known, beyond a bound, and for IndexedAddressing, whose index must be read first.
Segments all_segments(const Period& period, const Representation& representation);

struct AvailableSegments {
  Segments segments;
  /// When the first segment after these is there. Where a timeline lists no more, as if the next one were as long as
  /// the last; the MPD must be read again then. Nothing: the period has no more, or is not there yet.
  std::optional<UtcTime> next;
};

/// The segments that are there at `now` of the origin's clock: complete, or up to availabilityTimeOffset sooner, and
/// not before the time shift buffer (ISO/IEC 23009-1 clause 5.3.9.5.3). Of a static MPD all segments. The last
/// kMostSegments where there are more. Clocks differ, and encoders drift. Where nothing would be there, a publish time
/// after `now` counts as now, and what the timeline of the running period lists counts as there. Throws MpdError.
///
/// `by_parts_from`: a time since the start of the period. Segments that end later are listed part by part, where they have
/// parts, and each part is there when it has ended. Nothing: those of which all parts are there, and no pieces.
AvailableSegments available_segments(const Mpd& mpd, const Period& period, const Representation& representation,
                                     UtcTime now, std::optional<Duration> by_parts_from = {});

/// A stretch of media that an index lists.
struct IndexedPart {
  ByteRange range;         // within the file
  std::int64_t start = 0;  // ticks of the index
  std::int64_t duration = 0;
};

/// The segments of a representation with IndexedAddressing, from its index. `timescale` is that of the index, greater
/// than 0; the list is in its ticks, and numbers count from 1. Ranges are
/// of the innermost BaseURL, also where the index is a file of its own.
Segments indexed_segments(const IndexedAddressing& addressing, std::uint32_t timescale,
                          std::span<const IndexedPart> index);

}  // namespace tributary::dash
