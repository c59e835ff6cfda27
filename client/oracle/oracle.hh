#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oracle/link_capacity.hh"
#include "presentation/segment_table.hh"
#include "simulation/scenario.hh"

namespace tributary {

/// What the oracle shares with the client it is compared with.
struct OracleOptions {
  bool live = false;                  // a segment comes into being when the one before has lasted, as in LiveReplay
  std::uint32_t buffer_segments = 6;  // at most so many segments are requested or complete, and do not play yet
  Duration startup{};                 // the client's own: from the start of the session to the first picture
};

/// The best that knowledge of the future allows.
struct OracleRun {
  std::vector<QualityIndex> qualities;  // one a segment
  double mean_level = 0;
  std::vector<double> shares;  // of the segments, by quality
  std::uint64_t misses = 0;    // unavoidable: the smallest choice of every segment has them too
  Duration miss_total{}, miss_max{};
};

/// The optimum for known links: the qualities with the largest sum of levels without a deadline miss. Where every choice
/// has misses, those of the smallest choice of every segment are taken as given, and the best quality with exactly these
/// is chosen; that is a reference, not a bound, for clients that stall longer.
///
/// The links are fluid and perfectly pipelined, so they act as one server that takes segments in order; the first byte
/// of a request that had to wait comes `round_trip` after the moment at which it may be sent. A segment may be requested
/// when there is room for it in the buffer and, live, when it has been published. It is due when the one before has
/// lasted, the first at the start-up. Nothing if even the smallest choice is not complete before the capacity's horizon.
std::optional<OracleRun> best_possible(const SegmentTable& table, const LinkCapacity& capacity, Duration round_trip,
                                       const OracleOptions& options);

/// Links with unequal round trips are bracketed, with the longest (lower) and the shortest (upper) at any time.
/// Between runs with different misses, lower may be the better one: more waiting is more time to fetch.
struct OracleBounds {
  OracleRun lower, upper;
};

/// There must be a link. Nothing if the smallest choice takes far longer than the presentation lasts.
std::optional<OracleBounds> best_possible(const SegmentTable& table, std::span<const LinkScenario> links,
                                          const OracleOptions& options, double payload_share = kPayloadShare);

}  // namespace tributary
