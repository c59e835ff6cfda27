#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/world.hh"

namespace tributary::testing {

/// Wraps a world, and adds events at given times.
class InterruptedWorld : public World {
 public:
  /// `script`: sorted by time.
  InterruptedWorld(World& world, std::vector<TimedEvent> script)
      : world_{world}, script_{script.begin(), script.end()} {}

  TimedEvent next_event(std::optional<TimePoint> deadline) override {
    if (script_.empty()) return world_.next_event(deadline);
    const TimePoint next = script_.front().at;
    TimedEvent found = world_.next_event(std::min(deadline.value_or(next), next));
    if (found.at < next || !std::holds_alternative<event::DeadlineReached>(found.event)) return found;
    TimedEvent scripted = std::move(script_.front());
    script_.pop_front();
    scripted.at = found.at;
    return scripted;
  }
  void perform(const Action& action, TimePoint now) override { world_.perform(action, now); }

 private:
  World& world_;
  std::deque<TimedEvent> script_;
};

}  // namespace tributary::testing
