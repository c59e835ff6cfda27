#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulation/scenario.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The body's share of a full Ethernet frame (1514 bytes), after the headers of Ethernet, IPv4 and TCP with timestamps.
/// The modelled links count whole frames.
inline constexpr double kPayloadShare = 1448.0 / 1514.0;

/// How many bytes a set of links can have delivered at each moment, C(t), if all of them are used all the time. C sums
/// the rates of the links while they are up; each link counts from one round trip after the start, because nothing
/// comes earlier. C leaves out losses, queues and slow start, so no client on these links gets more. Nothing is
/// delivered after the horizon.
class LinkCapacity {
 public:
  LinkCapacity(std::span<const LinkScenario> links, TimePoint horizon, double payload_share = kPayloadShare);

  /// C(time), to the nearest byte. Never falls.
  DataSize delivered_until(TimePoint time) const;
  /// The inverse of C: the first moment, to the nearest nanosecond, at which these bytes can be delivered. Nothing if
  /// that is not before the horizon. delivered_until(*delivered_at(x)) is x again up to 8 Gbit/s, a byte a nanosecond.
  std::optional<TimePoint> delivered_at(DataSize bytes) const;

 private:
  /// A time of constant rate; it lasts until the next stretch begins.
  struct Stretch {
    TimePoint from;
    double bytes = 0;  // delivered before the stretch; unrounded, so that stretches add no errors
    double bytes_per_second = 0;
  };

  std::vector<Stretch> stretches_;  // the first begins at the start, the last at the horizon
};

}  // namespace tributary
