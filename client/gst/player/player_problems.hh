#pragma once

#include <string>

#include "gst/player/player.hh"

namespace tributary {

inline Sentence sound_advice() { return sentence("Look whether a sound server runs, and whether it has a device."); }

/// The failure of a stream, in the words for the user, with advice.
PlayerProblem problem_of(const StreamFailure& failure);

struct MessageText {
  Sentence what;
  std::string detail;
};
/// `message` must be of the type ERROR or WARNING.
MessageText text_of(GstMessage* message);

}  // namespace tributary
