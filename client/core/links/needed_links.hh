#pragma once

#include "core/links/link_need.hh"

namespace tributary {

struct SessionState;

/// Switches standby links on and off (link_need.hh).
class NeededLinks {
 public:
  void decide(SessionState& s);
  /// A link may become needed without an event.
  static bool may_become_needed(const SessionState& s);

 private:
  LinkNeed need_;
};

}  // namespace tributary
