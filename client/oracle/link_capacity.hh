#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulation/scenario.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Of a full Ethernet frame (1514 bytes), what is left for the body after the headers of Ethernet, IPv4 and TCP with
/// timestamps. The modelled links count whole frames.
inline constexpr double kPayloadShare = 1448.0 / 1514.0;

/// How many bytes a set of links can have delivered at each moment, C(t), if all of them are used all the time from the
/// start: the sum of their rates while they are up, from one round trip of each link on, because nothing comes earlier.
/// Losses, queues and slow start are left out, so no client on these links gets more. Nothing is delivered after the
/// horizon.
class LinkCapacity {
 public:
  LinkCapacity(std::span<const LinkScenario> links, TimePoint horizon, double payload_share = kPayloadShare);

  /// C: to the nearest byte. Never falls.
  DataSize delivered_until(TimePoint time) const;
  /// The inverse of C: the first moment, to the nearest nanosecond, at which so many bytes can be there. Nothing if that
  /// is not before the horizon. delivered_until(*delivered_at(x)) is x again up to 8 Gbit/s, a byte a nanosecond.
  std::optional<TimePoint> delivered_at(DataSize bytes) const;

 private:
  /// From this moment on, until the next stretch begins.
  struct Stretch {
    TimePoint from;
    double bytes = 0;  // delivered before; not rounded, or each stretch would add an error
    double bytes_per_second = 0;
  };

  std::vector<Stretch> stretches_;  // the first begins at the start, the last at the horizon
};

}  // namespace tributary
