#pragma once

#include <string>

#include "gst/player/player.hh"

namespace tributary {

inline constexpr const char* kSoundAdvice = "Look whether a sound server runs, and whether it has a device.";

/// Why a stream ended, as a user is told.
PlayerProblem problem_of(const StreamFailure& failure);

struct MessageText {
  std::string what, detail;
};
/// Of a message of the type ERROR or WARNING.
MessageText text_of(GstMessage* message);

}  // namespace tributary
