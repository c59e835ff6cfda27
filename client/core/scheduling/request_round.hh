#pragma once

#include "core/links/lanes.hh"
#include "core/links/needed_links.hh"
#include "core/requests/size_questions.hh"
#include "core/scheduling/costed_scheduler.hh"
#include "core/scheduling/late_pieces.hh"
#include "core/scheduling/scheduler.hh"

namespace tributary {

/// Looks at all links after an event. It leaves used-up links alone, gives up connections that bring nothing, and
/// switches standby links. Then it asks links for ranges until no link has room.
class RequestRound {
 public:
  RequestRound(const SessionOptions& options, const Rules& rules) : scheduler_{options, rules}, lanes_{options} {}
  RequestRound(const RequestRound&) = delete;  // it points into itself

  void ask(SessionState& s);
  const Scheduler& scheduler() const { return scheduler_; }
  /// The next round is wanted soon (Scheduler::kLookAgain), even without an event.
  bool looks_again() const { return looks_again_; }

 private:
  Scheduler scheduler_;
  CostedScheduler costed_{scheduler_};
  NeededLinks needed_links_;
  Lanes lanes_;
  SizeQuestions size_questions_;
  LatePieces late_pieces_;
  bool looks_again_ = false;
};

}  // namespace tributary
