#pragma once

#include <optional>
#include <span>

#include "core/link_now.hh"
#include "core/outstanding_requests.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What may be asked of a second link.
struct DuplicatesLeft {
  DataSize size;
  bool ample = false;  // enough for ranges that are in danger, or late by plan; else for those that became late only
};

/// The end of what another link was asked for.
struct TakeOver {
  RequestId from{};
  ByteRange range;    // within the part of that request
  Duration late{};    // by how much the other link will miss the deadline, as it seems; may be negative
  Duration sooner{};  // how much sooner it is expected from this link
};

/// Decides whether a link that could be asked for more should rather bring the end of a range that another link owes
/// and will bring late: a link that slows down, or dies without a word, then delays nobody. The two links meet within
/// the range: the other one goes on from the front, so that what both carry is as little as possible.
/// A link that has been silent for some time is expected to be silent for as long again, or until a round trip after a
/// loss. While duplicates are ample, a range that a lost packet would make late is taken over if that costs little.
/// Not in the thesis, whose ranges stay where they are.
///   asking       the link; one of `links`
///   segment, due the segment that is wanted, and when; nothing: at once, because nothing else is left to ask for
/// Of several ranges, the one that is expected last.
std::optional<TakeOver> take_over(LinkId asking, std::span<const LinkNow> links, const OutstandingRequests& outstanding,
                                  SegmentIndex segment, std::optional<TimePoint> due, DuplicatesLeft duplicates,
                                  TimePoint now);

}  // namespace tributary
