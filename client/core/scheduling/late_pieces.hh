#pragma once

#include <chrono>
#include <map>

#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Decides when a piece of a growing file (FilePiece) is asked for over another link. Pieces come when they are made, so a
/// silent link may be dead, or its origin late: how late pieces usually begin is learned. A link that is left so rests for a
/// while. Where the other one waits as well, each further wait is twice as long.
class LatePieces {
 public:
  static constexpr Duration kPatience = std::chrono::milliseconds{500};  // behind the usual wait

  void look(SessionState& s);
  /// look() may decide something without an event.
  static bool may_be_late(const SessionState& s);

 private:
  void learn(const SessionState& s);

  std::map<RequestId, Duration> waits_;  // of requests without a byte
  Duration usual_{};
  Duration patience_ = kPatience;
};

}  // namespace tributary
