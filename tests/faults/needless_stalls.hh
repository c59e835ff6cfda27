#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/session.hh"
#include "fault_plan.hh"
#include "support/session_audit.hh"

namespace tributary::testing {

/// Knows which segments must not stall, whatever the other links do, because the link that survives could bring them by
/// itself. A segment must not if there was a moment at which the time left until it was due was longer than the sum of
///   what was missing of it, and of all that plays before it, and what the survivor owed beside that, at three quarters (half,
///   if requests are counted and not bytes) of the rate that requests of the plan's size can have on that link (1);
///   the times in which each of the other links, one after the other, has to be found out (2): half a second, or two of its
///   longest round trips if that is more, and a second for a connection that has not answered yet;
///   three round trips of the survivor.
/// (1) is not the rate of the link: with small subsegments and one request at a time, most of the time is waiting.
/// (2) is what an omniscient client would not need: nobody else can tell a silent link from one that is about to speak.
class NeedlessStalls {
 public:
  NeedlessStalls(const FaultPlan& plan, const Session& session, const SessionAudit& audit);

  /// After each event, when the session has said what follows from it.
  void look(TimePoint now);
  void on_seek() { must_not_stall_.clear(); }
  /// What is wrong with that, if anything.
  std::optional<std::string> complaint(const action::PlaySegment& played) const;

 private:
  struct Promise {
    TimePoint made, due;
    Duration takes{};
  };

  const Session& session_;
  const SessionAudit& audit_;
  bool applies_ = false;
  LinkId survivor_{};
  DataRate rate_;
  Duration allowance_{};
  std::map<SegmentIndex, Promise> must_not_stall_;
};

}  // namespace tributary::testing
