#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gst/player/player.hh"

namespace tributary::play {

/// The playback at one moment, for the controls.
struct PlaybackView {
  PlayerState state = PlayerState::kClosed;
  bool wants_to_play = false;
  bool live = false;
  Duration begin{}, end{};  // of the stretch to which one can seek
  Duration position{};
  Duration ready_until{};               // end of the stretch that is buffered
  std::optional<Duration> behind_live;  // live: behind the edge
  bool low_latency = false;             // live: it is steered to be as near to the edge as it should be
  bool at_the_edge = false;             // live: as near to the edge as playing allows
  std::vector<Duration> skips;          // positions of skipped segments
  double speed = 1, volume = 1;
  bool muted = false;
  std::string quality;  // "720p"; empty: unknown
  bool quality_fixed = false;
};

}  // namespace tributary::play
