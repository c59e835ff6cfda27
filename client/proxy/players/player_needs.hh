#pragma once

#include <optional>
#include <string>

#include "proxy/players/player_pace.hh"
#include "proxy/requests/cmcd.hh"
#include "proxy/rewriting/media_file.hh"

namespace tributary::proxy {

/// When a player needs what it asks for: as it says itself (CMCD), or else by the cadence of its requests. For one thread.
class PlayerNeeds {
 public:
  struct Need {
    Duration due_in{};              // until it needs the segment
    std::optional<Duration> lasts;  // until it stands still without it; nothing: not known
    Duration in_hand{};             // lead mode: how long it can play without it
  };
  Need of_segment(const MediaFile& segment, const Cmcd& cmcd, bool lead, TimePoint now);
  /// Until it needs a part of a rendition that plays for `duration`.
  Duration of_part(const std::string& rendition, Duration duration, const Cmcd& cmcd, TimePoint now);
  /// As the player says, or else `otherwise`.
  static Duration due_in(const Cmcd& cmcd, Duration otherwise);

 private:
  PlayerPace pace_;
};

}  // namespace tributary::proxy
