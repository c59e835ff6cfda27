#pragma once

namespace tributary {

/// What a player does.
enum class PlayoutState {
  kPlaying,
  kPaused,   // the user wants it so
  kStalled,  // it would play, and has nothing to play
};

}  // namespace tributary
