#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/named_enum.hh"

namespace tributary {

/// State of a player.
enum class PlayoutState {
  kPlaying,
  kPaused,   // by the user
  kStalled,  // it wants to play, and has no media
};

inline std::span<const std::string_view> names_of(PlayoutState) {
  static constexpr std::array<std::string_view, 3> kNames{"playing", "paused", "stalled"};
  return kNames;
}

}  // namespace tributary
