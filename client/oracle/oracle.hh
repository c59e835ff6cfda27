#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oracle/link_capacity.hh"
#include "presentation/segments/segment_table.hh"
#include "simulation/scenario.hh"

namespace tributary {

/// Conditions that the oracle shares with the client that it is compared with.
struct OracleOptions {
  std::uint32_t at_start = 0;         // live: segments that exist at the start, as in LiveReplay; 0: on demand
  std::uint32_t buffer_segments = 6;  // at most this number is requested or complete and does not play yet
  Duration startup{};                 // the client's own: from the start of the session to the first picture
};

/// The best session that knowledge of the future allows.
struct OracleRun {
  std::vector<QualityIndex> qualities;  // one a segment
  double mean_level = 0;
  std::vector<double> shares;  // of the segments, by quality
  std::uint64_t misses = 0;    // unavoidable: the smallest choices have them, too
  Duration miss_total{}, miss_max{};
};

/// The optimum for known links: the qualities with the largest sum of levels without a deadline miss. If every choice
/// has misses, the misses of the smallest choices are taken as given, and the best qualities with exactly these misses
/// win. For clients that stall longer, that is a reference, not a bound.
///
/// The links are fluid and perfectly pipelined, so they act as one server that takes segments in order. The first byte
/// of a request that had to wait comes `round_trip` after the moment at which it may be sent. A segment may be
/// requested when the buffer has room for it and, live, when it has been published. A segment is due when the one
/// before has played, the first segment at the start-up. Nothing if even the smallest choices are not complete before
/// the capacity's horizon.
std::optional<OracleRun> best_possible(const SegmentTable& table, const LinkCapacity& capacity, Duration round_trip,
                                       const OracleOptions& options);

/// Bounds for links with unequal round trips: `lower` with the longest of all round trips, `upper` with the shortest.
/// If their misses differ, `lower` may be the better run: a longer stall gives more time to fetch.
struct OracleBounds {
  OracleRun lower, upper;
};

/// `links` must not be empty. Nothing if the smallest choices take far longer than the presentation lasts.
std::optional<OracleBounds> best_possible(const SegmentTable& table, std::span<const LinkScenario> links,
                                          const OracleOptions& options, double payload_share = kPayloadShare);

}  // namespace tributary
