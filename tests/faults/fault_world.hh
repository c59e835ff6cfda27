#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/session.hh"
#include "core/world.hh"
#include "fault_plan.hh"
#include "transport/pipelined_transport.hh"
#include "virtual_link.hh"
#include "virtual_origin.hh"
#include "worlds/discovery/live_replay.hh"
#include "worlds/received_parts.hh"

namespace tributary::testing {

/// A world in virtual time in which everything is real but the links and the origin: the transports are those of the real
/// world, and bytes have content. It happens what the plan says.
class FaultWorld : public World {
 public:
  /// Plan and session must outlive it.
  FaultWorld(const FaultPlan& plan, const Session& session);

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;

  /// Is told each segment that is delivered.
  std::function<void(SegmentIndex, std::vector<MediaPart>)> deliver = [](SegmentIndex, const std::vector<MediaPart>&) {
  };
  /// What is held of segments that are not complete.
  DataSize held() const { return parts_.size(); }

 private:
  struct Link {
    Link(const FaultPlan& plan, std::uint32_t number, VirtualOrigin& origin, const transport::FileVersions& versions);
    VirtualLink link;
    transport::PipelinedTransport transport;
    std::size_t next_phase = 0;
    bool up = false;
  };

  std::optional<TimePoint> next_time() const;
  void move_to(TimePoint time);
  void change_phases(LinkId id, Link& link);

  const FaultPlan& plan_;
  VirtualOrigin origin_;
  std::vector<std::unique_ptr<Link>> links_;
  ReceivedParts parts_;
  std::optional<LiveReplay> live_;
  std::size_t next_wish_ = 0;
  TimePoint now_;
  std::deque<TimedEvent> happened_;
};

/// A title of plain bytes with the sizes of the plan, in segments of two seconds.
SegmentTable table_of(const FaultPlan& plan);

}  // namespace tributary::testing
