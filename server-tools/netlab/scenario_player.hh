#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

/// Plays a scenario: tells the condition of each link, and the moment from which it holds. Touches no link.
class ScenarioPlayer {
 public:
  using Apply = std::function<void(std::string_view link, const LinkCondition&, TimePoint at)>;

  /// Time 0 of the scenario is `start`.
  ScenarioPlayer(std::vector<LinkScenario> links, TimePoint start) : links_{std::move(links)}, start_{start} {}

  /// Applies the changes that have become due since the last call; the first call applies the conditions at the start.
  /// Returns the time of the next change; nothing at the end.
  std::optional<TimePoint> advance(TimePoint now, const Apply& apply);

 private:
  std::vector<LinkScenario> links_;
  TimePoint start_;
  std::optional<TimePoint> played_until_;
};

}  // namespace tributary
