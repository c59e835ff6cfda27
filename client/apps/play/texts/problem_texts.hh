#pragma once

#include <string>

#include "gst/player/player.hh"

namespace tributary::play {

/// Translates a sentence of a stream or player, which are always English, into the user's language. An unknown sentence
/// stays as it is.
std::string translated(const std::string& sentence);
/// Translates all but the detail, which is for experts.
PlayerProblem translated(const PlayerProblem& problem);

/// Whether streams or players say the sentence.
bool is_known(const std::string& sentence);

}  // namespace tributary::play
