#include "simulation/scenario.hh"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tributary {
namespace {

/// The time from which the current repetition of the scenario counts.
TimePoint start_of_repetition(const LinkScenario& link, TimePoint time) {
  if (!link.period || time < TimePoint{}) return TimePoint{};
  return time - time.time_since_epoch() % *link.period;
}

/// The first change later than `time` within one repetition.
auto change_after(const LinkScenario& link, Duration time) {
  return std::ranges::upper_bound(link.changes, TimePoint{time}, {}, &LinkChange::at);
}

}  // namespace

const LinkCondition& LinkScenario::at(TimePoint time) const {
  assert(!changes.empty() && changes.front().at == TimePoint{});
  const auto after = change_after(*this, time - start_of_repetition(*this, time));
  return after == changes.begin() ? changes.front().condition : std::prev(after)->condition;
}

std::optional<TimePoint> LinkScenario::next_change(TimePoint time) const {
  assert(!changes.empty() && changes.front().at == TimePoint{});
  if (changes.size() == 1) return std::nullopt;
  const TimePoint start = start_of_repetition(*this, time);
  const auto after = change_after(*this, std::max(time - start, Duration{}));
  if (after != changes.end()) return start + after->at.time_since_epoch();
  if (!period) return std::nullopt;
  const bool repeats_seamlessly = changes.back().condition == changes.front().condition;
  const LinkChange& next = changes[repeats_seamlessly ? 1 : 0];
  return start + *period + next.at.time_since_epoch();
}

}  // namespace tributary
