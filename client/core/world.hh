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

  /// The next thing that happens, or DeadlineReached at `deadline` if nothing happens before. Waits (really,
  /// or in virtual time). Without a deadline and without anything that could ever happen it returns
  /// StopRequested.
  virtual TimedEvent next_event(std::optional<TimePoint> deadline) = 0;
  virtual void perform(const Action& action, TimePoint now) = 0;
};

/// Sees everything that passes between a session and its world, in order. Changes nothing.
class SessionObserver {
 public:
  virtual ~SessionObserver() = default;
  virtual void on_event(const Event& event, TimePoint at) = 0;
  virtual void on_action(const Action& action, TimePoint at) = 0;
};

}  // namespace tributary
