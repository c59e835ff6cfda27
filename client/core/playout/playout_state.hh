#pragma once

namespace tributary {

/// State of a player.
enum class PlayoutState {
  kPlaying,
  kPaused,   // by the user
  kStalled,  // it wants to play, and has no media
};

}  // namespace tributary
