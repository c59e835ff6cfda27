#pragma once

#include <optional>
#include <string>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decides whether standby links are needed. They are
/// - as long as there is no other link;
/// - until the buffer is full or nothing is left to be asked for, once less than half of the buffer was filled and the
///   other links brought less than the lowest quality takes.
/// A low buffer alone is no reason: after a start or a seek it is always low.
class LinkNeed {
 public:
  struct Situation {
    bool others = false;           // there are other links, perhaps resting after a failure
    bool wanted = false;           // there are bytes to ask for
    Duration buffered{};           // ready to play
    Duration buffer{};             // capacity
    std::optional<DataRate> rate;  // of the others; nothing: unmeasured, and not silent for long
    DataRate lowest;               // of the lowest quality, at the speed of playout
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
