#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/world.hh"
#include "fault_plan.hh"
#include "support/session_audit.hh"

namespace tributary::testing {

/// What became of one plan.
struct FaultResult {
  std::vector<std::string> faults;  // of ours: what must never happen, and did
  bool complete = false;
  std::string ended_because;
  std::size_t events = 0, requests = 0, failures = 0, taken_over = 0, stalls = 0;
  Duration stalled{};
  TimePoint end;
};

/// Runs the plan, and looks after every event whether all is as it must be:
///   the books add up (support/session_audit.hh), and what is delivered has the right bytes;
///   no more is held than the segments that are being received;
///   the session ends: complete, or with a reason, and not long after everything works again;
///   if a link survives, it ends complete, and playout does not stand still needlessly (needless_stalls.hh).
///   `look`: is shown the state of things after each event.
using Look = std::function<void(const Session& session, const SessionAudit& audit)>;
FaultResult run_plan(const FaultPlan& plan, SessionObserver* also = nullptr, const Look& look = {});

}  // namespace tributary::testing
