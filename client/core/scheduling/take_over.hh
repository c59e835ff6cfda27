#pragma once

#include <optional>

#include "core/links/link_now.hh"
#include "core/scheduling/owed_ranges.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Budget of bytes for a second link.
struct DuplicatesLeft {
  DataSize size;
  bool ample = false;  // enough for ranges in danger or late by plan, too
};

/// The end of a range that another link was asked for.
struct TakeOver {
  RequestId from{};
  ByteRange range;    // within the part of that request
  Duration late{};    // expected lateness of the other link; may be negative
  Duration sooner{};  // how much sooner it is expected from this link
};

/// Decides whether a link with room should bring the end of a range that another link will bring late. The two links
/// meet within the range, so that few bytes come twice. A silent link is expected to be silent for as long again, or
/// until a round trip after a loss. While duplicates are ample, a range that a lost packet would make late is taken
/// over if that costs little. The thesis leaves ranges where they are.
///   due          when the segment is wanted; nothing: at once, because nothing else is left to ask for
///   only_the_end nobody waits for any segment, but for the end of all: if nothing else is left to ask for, whatever
///                ends that sooner is worth it
/// Of several ranges, the one that is expected last.
std::optional<TakeOver> take_over(const OwedRanges& owed, std::optional<TimePoint> due, DuplicatesLeft duplicates,
                                  TimePoint now, bool only_the_end = false);

}  // namespace tributary
