#pragma once

#include <deque>
#include <optional>

#include "core/world.hh"

namespace tributary {

/// Events of a session that do not come from the network: wishes of a user, reports of a player.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// Readable when advance() may have events. The source owns it.
  virtual int file_descriptor() const = 0;
  /// Appends the events up to `now`.
  virtual void advance(TimePoint now, std::deque<TimedEvent>& happened) = 0;
  /// The latest time for the next advance(), if nothing happens before.
  virtual std::optional<TimePoint> next_deadline() const = 0;
};

}  // namespace tributary
