#pragma once

#include <optional>
#include <span>

#include "core/links/link_now.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/scheduling/owed_ranges.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The bytes of a request that its link will not bring, and no other link was asked for.
struct Rescue {
  RequestId from{};
  ByteRange range;
  Duration silent{};  // how long the other link has been silent
};

/// Each of the links could bring all owed bytes by itself, with time to notice if it does not. rescue() and take_over()
/// then find nothing.
bool time_enough(std::span<const LinkNow> links, const OutstandingRequests& outstanding, TimePoint due, TimePoint now);

/// Decides whether a link has to bring the bytes of another one as if that were dead: it has been silent for too long
/// (link_now.hh), or brings next to nothing in the time that the asking link would take. The link that brings the bytes
/// soonest is asked, at the last moment at which they are in time. No budget holds that back, because bytes that do not
/// come are not carried twice. take_over.hh has late ranges.
///   due          when the segment is wanted; nothing: at once, because nothing else is left to ask for
/// Of several ranges, the one that was asked for first.
std::optional<Rescue> rescue(const OwedRanges& owed, std::optional<TimePoint> due, TimePoint now);

}  // namespace tributary
