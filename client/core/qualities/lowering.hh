#pragma once

#include "core/qualities/quality_adaptation.hh"
#include "core/requests/segment_assembly.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Repairs a segment that will come too late: it is asked for anew in a lower quality, if it is there sooner then. Its
/// bytes so far are lost, and count as duplicates. Few adaptations lower.
class Lowering {
 public:
  /// Call after every event; it looks ten times a second.
  void look(SessionState& s);
  /// A segment on its way could be lowered.
  static bool may_lower(const SessionState& s);
  /// It does not look again before.
  TimePoint rests_until() const { return rests_until_; }

 private:
  TimePoint rests_until_ = TimePoint::min();
};

}  // namespace tributary
