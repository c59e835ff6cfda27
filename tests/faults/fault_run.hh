#pragma once

#include <string>
#include <vector>

#include "core/world.hh"
#include "fault_plan.hh"

namespace tributary::testing {

/// What became of one plan.
struct FaultResult {
  std::vector<std::string> faults;  // of ours: what must never happen, and did
  bool complete = false;
  std::string ended_because;
  std::size_t events = 0, requests = 0, failures = 0, taken_over = 0, stalls = 0, needless_stalls = 0;
  Duration stalled{};
  TimePoint end;
};

/// Runs the plan, and looks after every event whether all is as it must be:
///   the books add up (support/session_audit.hh), and what is delivered has the right bytes;
///   no more is held than the segments that are being received;
///   the session ends: complete, or with a reason, and not long after everything works again;
///   if a link survives, it ends complete, and playout stands still for no longer than a dead link takes to be found out.
FaultResult run_plan(const FaultPlan& plan, SessionObserver* also = nullptr);

}  // namespace tributary::testing
