#include "core/qualities/quality_plan.hh"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/rounding.hh"

namespace tributary {
namespace {

/// One sequence of qualities up to some segment; its last quality is the index of its front. A front is sorted by end.
struct Way {
  double end = 0, worth = 0;
  std::size_t first = 0;
};
using Front = std::vector<Way>;

double levels_between(std::size_t a, std::size_t b) { return static_cast<double>(a < b ? b - a : a - b); }

bool is_safe(const QualityPlan& plan, std::size_t quality) {
  double end = plan.slowest * plan.before;
  for (const PlannedSegment& segment : plan.segments) {
    end = std::max(end, segment.opens) + plan.slowest * segment.takes[quality];
    if (end > segment.due - plan.spare) return false;
    quality = 0;
  }
  return true;
}

/// Drops every way that is neither earlier nor worth more than another.
void keep_pareto_front(Front& ways) {
  std::ranges::sort(ways, [](const Way& a, const Way& b) {
    if (a.end != b.end) return a.end < b.end;
    return a.worth != b.worth ? a.worth > b.worth : a.first < b.first;
  });
  std::size_t kept = 0;
  for (const Way& way : ways) {
    if (kept == 0 || way.worth > ways[kept - 1].worth + kSameValue) ways[kept++] = way;
  }
  ways.resize(kept);
}

/// The fronts after one more segment, in place of what `further` was.
void extend(const std::vector<Front>& fronts, const PlannedSegment& segment, const QualityPlan& plan,
            std::vector<Front>& further) {
  for (std::size_t q = 0; q < fronts.size(); ++q) {
    further[q].clear();
    for (std::size_t before = 0; before < fronts.size(); ++before) {
      for (const Way& way : fronts[before]) {
        const double end = std::max(way.end, segment.opens) + segment.takes[q];
        if (q > 0 && end > segment.due - plan.spare) break;
        const double lateness = std::max(0.0, end - segment.due);
        const double more =
            static_cast<double>(q) - plan.change * levels_between(before, q) - worth::kLateness * lateness;
        further[q].push_back({end, way.worth + more, way.first});
      }
    }
    keep_pareto_front(further[q]);
  }
}

double without_time_in_hand(const QualityPlan& plan, double end) {
  if (!plan.goes_on) return 0;
  const PlannedSegment& last = plan.segments.back();
  const double wanted = worth::kPartInHand * std::max(0.0, last.due - last.opens);
  return worth::kTimeInHand * std::max(0.0, wanted - (last.due - end));
}

}  // namespace

PlannedQuality plan_quality(const QualityPlan& plan) {
  const PlannedSegment& first = plan.segments.front();
  PlannedQuality planned;
  std::vector<Front> fronts(first.takes.size()), further(first.takes.size());
  for (std::size_t q = 0; q < first.takes.size(); ++q) {
    if (q > 0 && !is_safe(plan, q)) continue;
    planned.highest_safe = q;
    fronts[q].push_back(
        {plan.before + first.takes[q], static_cast<double>(q) - plan.change * levels_between(plan.previous, q), q});
  }
  for (std::size_t i = 1; i < plan.segments.size(); ++i) {
    extend(fronts, plan.segments[i], plan, further);
    std::swap(fronts, further);
  }
  double most = -std::numeric_limits<double>::infinity();
  for (const Front& front : fronts) {
    for (const Way& way : front) {
      const double value = way.worth - without_time_in_hand(plan, way.end);
      if (value < most - kSameValue || (value < most + kSameValue && way.first >= planned.quality)) continue;
      most = std::max(value, most);
      planned.quality = way.first;
    }
  }
  return planned;
}

}  // namespace tributary
