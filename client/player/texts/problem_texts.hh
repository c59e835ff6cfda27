#pragma once

#include <string>

#include "gst/player/player.hh"

namespace tributary::play {

/// In the user's language. A sentence without a translation stays English.
std::string text_of(const Sentence& sentence);

/// A problem as the user reads it. The detail is for experts, and stays as it is.
struct ProblemText {
  std::string what, advice, detail;
};
ProblemText text_of(const PlayerProblem& problem);

}  // namespace tributary::play
