#pragma once

#include "core/links/needed_links.hh"
#include "core/scheduling/costed_scheduler.hh"
#include "core/scheduling/scheduler.hh"

namespace tributary {

/// What is done about links after an event from which something may follow: links that are used up are left alone,
/// connections that bring nothing are given up, standby links are switched, and then links are asked until none can be
/// asked for more.
class RequestRound {
 public:
  RequestRound(const SessionOptions& options, const Rules& rules) : scheduler_{options, rules} {}
  RequestRound(const RequestRound&) = delete;  // it points into itself

  void ask(SessionState& s);
  const Scheduler& scheduler() const { return scheduler_; }
  /// The next round is wanted soon (Scheduler::kLookAgain), even without an event.
  bool looks_again() const { return looks_again_; }

 private:
  Scheduler scheduler_;
  CostedScheduler costed_{scheduler_};
  NeededLinks needed_links_;
  bool looks_again_ = false;
};

}  // namespace tributary
