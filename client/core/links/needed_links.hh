#pragma once

#include "core/link_need.hh"

namespace tributary {

struct SessionState;

/// Switches the links that the user wants only when they are needed (link_need.hh) on and off.
class NeededLinks {
 public:
  void decide(SessionState& s);
  /// There is a link that may become needed while nothing happens.
  static bool may_become_needed(const SessionState& s);

 private:
  LinkNeed need_;
};

}  // namespace tributary
