#pragma once

#include <optional>

#include "core/action.hh"
#include "core/event.hh"

namespace tributary {

struct TimedEvent {
  TimePoint at;
  Event event;
};

/// Where a session lives: real links and real time, or modelled ones. Times never go backwards.
class World {
 public:
  virtual ~World() = default;

  /// The next event, or DeadlineReached at `deadline` if nothing happens before. Waits, really or in virtual time.
  /// Returns StopRequested if there is no deadline and nothing could ever happen.
  virtual TimedEvent next_event(std::optional<TimePoint> deadline) = 0;
  virtual void perform(const Action& action, TimePoint now) = 0;
};

/// Sees all events and actions between a session and its world, in order. Changes nothing.
class SessionObserver {
 public:
  virtual ~SessionObserver() = default;
  virtual void on_event(const Event& event, TimePoint at) = 0;
  virtual void on_action(const Action& action, TimePoint at) = 0;
};

}  // namespace tributary
