#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

/// Plays a scenario: says what each link is to be like from which moment on. Touches no link.
class ScenarioPlayer {
 public:
  using Apply = std::function<void(std::string_view link, const LinkCondition&, TimePoint at)>;

  /// Time 0 of the scenario is `start`.
  ScenarioPlayer(std::vector<LinkScenario> links, TimePoint start) : links_{std::move(links)}, start_{start} {}

  /// Applies what has become due since the last call, at first the conditions at the start. Says when the
  /// next change is due; nothing at the end.
  std::optional<TimePoint> advance(TimePoint now, const Apply& apply);

 private:
  std::vector<LinkScenario> links_;
  TimePoint start_;
  std::optional<TimePoint> played_until_;
};

}  // namespace tributary
