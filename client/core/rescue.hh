#pragma once

#include <optional>
#include <span>

#include "core/link_now.hh"
#include "core/outstanding_requests.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// All that another link still owes alone of a request, and will not bring.
struct Rescue {
  RequestId from{};
  ByteRange range;
  Duration silent{};  // so long has the other link been
};

/// Any of the links could bring all that is owed by itself, and it would be noticed in time that it does not: rescue() and
/// take_over() find nothing, whoever is asked.
bool time_enough(std::span<const LinkNow> links, const OutstandingRequests& outstanding, TimePoint due, TimePoint now);

/// Decides whether a link has to bring what another one owes as if that were dead: because it has been silent for too long
/// (link_now.hh), or because it brings next to nothing of it in the time in which the asking link brings it all. That is done at
/// the last moment at which the link that would bring it soonest can still do so in time; no budget holds it back, because bytes
/// that do not come are not carried twice. What is merely late is take_over.hh's.
///   asking       the link; one of `links`
///   segment, due the segment that is wanted, and when; nothing: at once, because nothing else is left to ask for
/// Of several ranges, the one that was asked for first.
std::optional<Rescue> rescue(LinkId asking, std::span<const LinkNow> links, const OutstandingRequests& outstanding,
                             SegmentIndex segment, std::optional<TimePoint> due, TimePoint now);

}  // namespace tributary
