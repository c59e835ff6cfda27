#pragma once

#include "core/quality_adaptation.hh"
#include "core/segment_assembly.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Repairs a segment that is on its way and will come too late: it is asked for anew in a lower quality, if it is there
/// sooner then. The bytes that have come are lost, and count as duplicates. Few adaptations lower.
class Lowering {
 public:
  /// To be called at every moment; looks ten times a second.
  void look(SessionState& s);
  /// Something is on its way that could be lowered.
  static bool may_lower(const SessionState& s);
  /// It does not look again before.
  TimePoint rests_until() const { return rests_until_; }

 private:
  TimePoint rests_until_ = TimePoint::min();
};

}  // namespace tributary
