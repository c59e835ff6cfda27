#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gst/player/player.hh"

namespace tributary::play {

/// What the controls show of the playback, at one moment.
struct PlaybackView {
  PlayerState state = PlayerState::kClosed;
  bool wants_to_play = false;
  bool live = false;
  Duration begin{}, end{};  // of what can be seeked to
  Duration position{};
  Duration ready_until{};               // buffered from the position to here
  std::optional<Duration> behind_live;  // live: behind the edge
  bool at_the_edge = false;             // live: as near to the edge as playing allows
  std::vector<Duration> skips;          // positions where something was left out
  double speed = 1, volume = 1;
  bool muted = false;
  std::string quality;  // "720p"; empty if not known
  bool quality_fixed = false;
};

}  // namespace tributary::play
