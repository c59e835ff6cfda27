#include "netlab/scenario_player.hh"

#include "netlab/deadline.hh"

namespace tributary {

std::optional<TimePoint> ScenarioPlayer::advance(TimePoint now, const Apply& apply) {
  std::optional<TimePoint> next_due;
  const auto on_scenario_clock = [&](TimePoint time) { return TimePoint{time - start_}; };
  for (const LinkScenario& link : links_) {
    if (!played_until_) apply(link.name, link.at(TimePoint{}), start_);
    auto next = link.next_change(played_until_.value_or(TimePoint{}));
    for (; next && *next <= on_scenario_clock(now); next = link.next_change(*next)) {
      apply(link.name, link.at(*next), start_ + next->time_since_epoch());
    }
    if (next) next_due = earlier(next_due, start_ + next->time_since_epoch());
  }
  played_until_ = on_scenario_clock(now);
  return next_due;
}

}  // namespace tributary
