#pragma once

#include <deque>
#include <optional>

#include "core/world.hh"

namespace tributary {

/// What happens to a session beside the network: what a user wants, what a player does.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// Readable when advance() may have something to say.
  virtual int file_descriptor() const = 0;
  /// Appends what has happened by now.
  virtual void advance(TimePoint now, std::deque<TimedEvent>& happened) = 0;
  /// When advance() is wanted at the latest, if nothing happens before.
  virtual std::optional<TimePoint> next_deadline() const = 0;
};

}  // namespace tributary
