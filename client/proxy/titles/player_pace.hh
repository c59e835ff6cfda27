#pragma once

#include <map>
#include <optional>
#include <string>

#include "units/session_clock.hh"

namespace tributary::proxy {

/// Estimates how long a player can still play from what it has been given, by the cadence of its requests: media given,
/// less the time since the first of it. A kind of media (picture, sound) counts by itself, and the least counts. A player
/// that says more by CMCD is believed instead.
class PlayerPace {
 public:
  /// The player asks for `duration` of this kind of media. Returns when it needs that: half of what it can probably play
  /// until then, because it may have been paused, or have gone to another place.
  Duration asked(const std::string& kind, Duration duration, TimePoint now);

 private:
  struct Given {
    TimePoint since;
    Duration media{};
  };
  std::map<std::string, Given> given_;
};

}  // namespace tributary::proxy
