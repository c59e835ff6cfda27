#pragma once

#include <optional>
#include <string>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decides whether the links that the user wants only when they are needed are needed. They are
/// - as long as there is no other link;
/// - from the moment on at which less than half of the buffer is filled, and the other links bring less than the lowest
///   quality takes, until the buffer is full, or nothing is left to be asked for.
/// A buffer that is low is no reason by itself: after a start or a seek it always is.
class LinkNeed {
 public:
  struct Situation {
    bool others = false;           // there are links to be used always, even if one of them rests after a failure
    bool wanted = false;           // something is to be asked for
    Duration buffered{};           // ready to play
    Duration buffer{};             // and how much that should be
    std::optional<DataRate> rate;  // of the others; nothing: they were not measured, and have not been silent for long
    DataRate lowest;               // what the lowest quality takes, at the speed of playout
  };
  struct Decision {
    bool needed = false;
    std::string why;
  };
  Decision decide(const Situation& now);

 private:
  bool since_the_buffer_was_low_ = false;
};

}  // namespace tributary
