#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/link_table.hh"
#include "core/rules.hh"
#include "core/scheduling/link_room.hh"
#include "core/scheduling/repairs.hh"
#include "core/segment_assembly.hh"
#include "core/session_options.hh"
#include "core/subsegment_planner.hh"

namespace tributary {

struct SessionState;

/// Decides which link is asked for which bytes next. Repairs go first, in this order:
///   what a link owed that is lost is handed over, to the link that will be done soonest;
///   what failed is asked for again;
///   what a dead link owes is rescued, and the end of what comes late is taken over, segment by segment.
/// Then come bytes that nobody was asked for, of the segments that are being received and of the next one.
class Scheduler {
 public:
  /// How often an idle link looks at what the others owe.
  static constexpr Duration kLookAgain = std::chrono::milliseconds{100};

  explicit Scheduler(const SessionOptions& options, const Rules& rules);

  /// Asks one link for one range. Whom to ask next depends on what that link owes then; false: nobody now.
  bool ask(SessionState& s);
  /// Before this moment, nobody is asked by bytes that complete no segment, unless the link that brought them has room
  /// again.
  TimePoint quiet_until() const { return quiet_until_; }
  void be_awake() { quiet_until_ = TimePoint::min(); }
  bool has_room_again(RequestId request, const SessionState& s) const;
  /// What links owe may become late, even if nothing happens.
  static bool may_become_late(const SessionState& s);

  // ---- For a scheduler round this one (costed_scheduler.hh)

  const LinkRoom& room() const { return *room_; }
  SubsegmentPlanner& planner() { return *planner_; }
  bool hand_over(const LinksNow& present, SessionState& s);
  /// `links`: what new bytes are planned by; empty if there is nothing new to be asked for.
  bool ask_link(LinkId link, const LinksNow& present, const LinkEstimates& links, SessionState& s);
  void start_segment(const LinkEstimates& links, SessionState& s);
  static bool repair_by(const RepairRule& rule, const RepairPlace& place, SessionState& s);

 private:
  bool ask_again(LinkId link, const LinksNow& present, SessionState& s);
  bool repair_late(LinkId link, const LinksNow& present, SessionState& s);
  bool ask_new(LinkId link, SegmentAssembly& segment, const LinkEstimates& links, SessionState& s);
  std::optional<LinkId> heir(const LinksNow& present, const SessionState& s) const;

  std::unique_ptr<LinkRoom> room_;
  std::unique_ptr<SubsegmentPlanner> planner_;
  TimePoint quiet_until_ = TimePoint::min();
};

/// Asks the link for a range that nobody owes any more, or for as much of it as the link may bring; the rest is wanted
/// again.
void send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason, SessionState& s);

}  // namespace tributary
