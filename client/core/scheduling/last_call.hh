#pragma once

#include <optional>

#include "core/scheduling/owed_ranges.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A range that is asked for again at the last moment.
struct LastCall {
  RequestId from{};
  ByteRange range;  // within the part of that request
  Duration late{};  // how long after `due` the link that owes it is expected to have brought it; may be negative
};

/// Decides which owed bytes a link that costs something brings as well, because playout may have to stand still for
/// them. At the last moment at which it can bring all that other links owe of the segment, it is asked for each range
/// that it brings sooner (CATS: Agirbas 2018, equation 12). No budget of duplicates holds that back: playout does not
/// pause while a link is idle that the user allowed.
///   asking   the asking link, with a rate
///   due      when the bytes are to be here: some time before the segment is due
/// The other links are taken to bring what they did in the last second, if that is less than their average. If several
/// ranges are late, the result is the one that is expected last.
std::optional<LastCall> last_call(const LinkEstimate& asking, const OwedRanges& owed, TimePoint due, TimePoint now);

}  // namespace tributary
