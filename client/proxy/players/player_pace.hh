#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "units/session_clock.hh"

namespace tributary::proxy {

/// Estimates how long a player can still play from what it has been given, by the cadence of its requests: media given,
/// less the time since the first of it. Each rendition counts by itself: picture and sound, and after a change of quality
/// the new one, which begins with nothing in hand.
class PlayerPace {
 public:
  /// The player asks for `duration` of this rendition. Returns when it needs that: half of what it can probably play until
  /// then, because it may have been paused, or have gone to another place. A player that begins, or seems to have nothing
  /// left, can wait for `duration`: a late start is no stall, and links that cost something begin half a segment earlier
  /// (Spending).
  Duration asked(const std::string& rendition, Duration duration, TimePoint now);
  /// The time until the player stalls without the segment of this duration, for which it asks now. Nothing: it begins, or begins
  /// anew. Playout is taken to have begun with the first segment, or later. To be called before asked().
  std::optional<Duration> lasts(const std::string& rendition, Duration duration, TimePoint now) const;
  /// How long it can play what it has been given, before it asks for the segment of this number. A request that does not
  /// advance from the last one of asked() means a seek, after which nothing is in hand; a segment asked for once more does not
  /// count twice. To be called before asked().
  Duration left(const std::string& rendition, std::uint64_t number, Duration duration, TimePoint now);

 private:
  struct Given {
    TimePoint since;
    Duration media{};
    std::optional<std::uint64_t> number{};  // of the last segment
  };
  std::map<std::string, Given> given_;
};

}  // namespace tributary::proxy
