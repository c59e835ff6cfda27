#pragma once

#include <string>

#include "gst/player/player.hh"

namespace tributary::play {

/// The sentence in the user's language, if it is one of those that streams and players say (in English, whoever listens);
/// otherwise as it is.
std::string translated(const std::string& sentence);
/// Its detail stays as it is, for experts.
PlayerProblem translated(const PlayerProblem& problem);

/// Whether there is such a sentence.
bool is_known(const std::string& sentence);

}  // namespace tributary::play
