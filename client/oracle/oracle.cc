#include "oracle/oracle.hh"

#include <algorithm>
#include <cassert>

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// The limits that each choice of qualities has to keep, in delivered bytes; these are exact where times are not. No
/// byte of segment j comes before `opens[j]` bytes could have been delivered, and all must have come after `closes[j]`.
struct Timetable {
  std::vector<DataSize> opens, closes;
  std::uint64_t misses = 0;
  Duration miss_total{}, miss_max{};
};

DataSize smallest_size(const SegmentTable& table, SegmentIndex segment) {
  DataSize smallest = table.size(segment, QualityIndex{0});
  for (std::size_t q = 1; q < table.quality_count(); ++q)
    smallest = std::min(smallest, table.size(segment, static_cast<QualityIndex>(q)));
  return smallest;
}

/// The timetable of the smallest choices, with which every segment plays as early as it can. Without a miss, segment j
/// plays at startup + starts_at(j) with every choice.
std::optional<Timetable> timetable_of_smallest(const SegmentTable& table, const LinkCapacity& capacity,
                                               Duration round_trip, const OracleOptions& options) {
  Timetable result;
  const std::size_t newest = std::clamp<std::size_t>(options.at_start, 1, table.segment_count()) - 1;
  const Duration begun_before = table.starts_at(static_cast<SegmentIndex>(newest));
  std::vector<TimePoint> plays;
  TimePoint due{options.startup};
  DataSize delivered;
  for (std::size_t j = 0; j < table.segment_count(); ++j) {
    const auto segment = static_cast<SegmentIndex>(j);
    TimePoint may_request{};
    if (j >= options.buffer_segments) may_request = plays[j - options.buffer_segments];
    if (options.at_start > 0) may_request = std::max(may_request, TimePoint{table.starts_at(segment) - begun_before});
    const DataSize opens = capacity.delivered_until(may_request + round_trip);
    delivered = std::max(delivered, opens) + smallest_size(table, segment);
    const std::optional<TimePoint> complete = capacity.delivered_at(delivered);
    if (!complete) return std::nullopt;

    TimePoint play = due;
    if (delivered > capacity.delivered_until(due)) {
      play = std::max(*complete, due);
      ++result.misses;
      result.miss_total += play - due;
      result.miss_max = std::max(result.miss_max, play - due);
    }
    result.opens.push_back(opens);
    result.closes.push_back(std::max(capacity.delivered_until(play), delivered));
    plays.push_back(play);
    due = play + table.duration(segment);
  }
  return result;
}

/// One way to fetch the segments up to some segment. If a way is complete earlier than another, with a larger sum of
/// levels, it is at least as good for all later segments.
struct Way {
  DataSize delivered;
  std::uint64_t levels = 0;
  std::size_t before = 0;  // index of the way up to the segment before
  QualityIndex quality{};  // of the last segment
};

/// Drops every way that is neither earlier nor of a larger sum than another. Sorts the rest by both, the largest sum
/// first.
void keep_pareto_front(std::vector<Way>& ways) {
  std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
    return a.levels != b.levels ? a.levels > b.levels : a.delivered < b.delivered;
  });
  std::size_t kept = 0;
  for (const Way& way : ways) {
    if (kept == 0 || way.delivered < ways[kept - 1].delivered) ways[kept++] = way;
  }
  ways.resize(kept);
}

/// The Pareto front after each segment. No front is empty: the smallest choices keep to the timetable.
std::vector<std::vector<Way>> fronts_of(const SegmentTable& table, const Timetable& timetable) {
  std::vector<std::vector<Way>> fronts;
  std::vector<Way> front{Way{}};
  for (std::size_t j = 0; j < table.segment_count(); ++j) {
    std::vector<Way> further;
    for (std::size_t q = 0; q < table.quality_count(); ++q) {
      const auto quality = static_cast<QualityIndex>(q);
      const DataSize size = table.size(static_cast<SegmentIndex>(j), quality);
      for (std::size_t i = 0; i < front.size(); ++i) {
        const DataSize delivered = std::max(front[i].delivered, timetable.opens[j]) + size;
        if (delivered <= timetable.closes[j]) further.push_back({delivered, front[i].levels + q, i, quality});
      }
    }
    keep_pareto_front(further);
    assert(!further.empty());
    front = further;
    fronts.push_back(std::move(further));
  }
  return fronts;
}

}  // namespace

std::optional<OracleRun> best_possible(const SegmentTable& table, const LinkCapacity& capacity, Duration round_trip,
                                       const OracleOptions& options) {
  assert(options.buffer_segments > 0);
  const auto timetable = timetable_of_smallest(table, capacity, round_trip, options);
  if (!timetable) return std::nullopt;

  OracleRun run;
  run.misses = timetable->misses;
  run.miss_total = timetable->miss_total;
  run.miss_max = timetable->miss_max;
  run.qualities.resize(table.segment_count());
  run.shares.assign(table.quality_count(), 0);
  const auto fronts = fronts_of(table, *timetable);
  const auto count = static_cast<double>(table.segment_count());
  run.mean_level = static_cast<double>(fronts.back().front().levels) / count;
  std::size_t way = 0;
  for (std::size_t j = table.segment_count(); j-- > 0;) {
    run.qualities[j] = fronts[j][way].quality;
    run.shares[to_index(run.qualities[j])] += 1;
    way = fronts[j][way].before;
  }
  for (double& share : run.shares) share /= count;
  return run;
}

std::optional<OracleBounds> best_possible(const SegmentTable& table, std::span<const LinkScenario> links,
                                          const OracleOptions& options, double payload_share) {
  assert(!links.empty());
  Duration shortest = Duration::max();
  Duration longest{};
  for (const LinkScenario& link : links) {
    for (const LinkChange& change : link.changes) {
      shortest = std::min(shortest, change.condition.rtt);
      longest = std::max(longest, change.condition.rtt);
    }
  }
  const auto last = static_cast<SegmentIndex>(table.segment_count() - 1);
  const Duration length = table.starts_at(last) + table.duration(last);
  const LinkCapacity capacity{links, TimePoint{options.startup + 10 * length + 60s}, payload_share};
  auto lower = best_possible(table, capacity, longest, options);
  auto upper = best_possible(table, capacity, shortest, options);
  if (!lower || !upper) return std::nullopt;
  return OracleBounds{std::move(*lower), std::move(*upper)};
}

}  // namespace tributary
