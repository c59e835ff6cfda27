#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/links/link_table.hh"
#include "core/requests/segment_assembly.hh"
#include "core/rules.hh"
#include "core/scheduling/link_room.hh"
#include "core/scheduling/repairs.hh"
#include "core/session_options.hh"
#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

struct SessionState;

/// Decides which link is asked for which bytes next. Repairs go first, in this order:
///   ranges of a lost link are handed over, to the link that will be done soonest;
///   failed ranges are asked for again;
///   bytes of a link that may be dead are rescued, and ends of late ranges are taken over, segment by segment.
/// Then come new bytes, of the segments that are being received and of the next one.
class Scheduler {
 public:
  /// How often an idle link looks at the bytes that others owe.
  static constexpr Duration kLookAgain = std::chrono::milliseconds{100};

  explicit Scheduler(const SessionOptions& options, const Rules& rules);

  /// Asks one link for one range; false: no link can be asked now. Call again after true: the next choice depends on
  /// this one.
  bool ask(SessionState& s);
  /// Before this moment, bytes that complete no segment lead to no request, unless their link has room again.
  TimePoint quiet_until() const { return quiet_until_; }
  void be_awake() { quiet_until_ = TimePoint::min(); }
  bool has_room_again(RequestId request, const SessionState& s) const;
  /// Outstanding ranges may become late without an event.
  static bool may_become_late(const SessionState& s);

  // ---- For a scheduler round this one (costed_scheduler.hh)

  const LinkRoom& room() const { return *room_; }
  SubsegmentPlanner& planner() { return *planner_; }
  bool hand_over(const LinksNow& present, SessionState& s);
  /// `links`: estimates for new bytes; empty if there are none to be asked for.
  bool ask_link(LinkId link, const LinksNow& present, const LinkEstimates& links, SessionState& s);
  void start_segment(const LinkEstimates& links, SessionState& s);
  static bool repair_by(const RepairRule& rule, const RepairPlace& place, SessionState& s);

 private:
  bool ask_again(LinkId link, const LinksNow& present, SessionState& s);
  bool repair_late(LinkId link, const LinksNow& present, SessionState& s);
  void leave_to_others(const SegmentAssembly& segment, LinkEstimates& links, const SessionState& s);
  bool ask_new(LinkId link, SegmentAssembly& segment, const LinkEstimates& links, SessionState& s);
  std::optional<LinkId> heir(const LinksNow& present, const SessionState& s) const;

  std::unique_ptr<LinkRoom> room_;
  std::unique_ptr<SubsegmentPlanner> planner_;
  TimePoint quiet_until_ = TimePoint::min();
};

/// Asks the link for a range that no link owes, or for as much of it as the link may bring; the rest is wanted again.
void send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason, SessionState& s);

}  // namespace tributary
