#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/world.hh"
#include "presentation/json/frame_index.hh"
#include "simulation/bottleneck.hh"
#include "simulation/queue.hh"
#include "simulation/scenario.hh"
#include "simulation/simulated_transport.hh"
#include "worlds/asked_sizes.hh"
#include "worlds/discovery/live_replay.hh"
#include "worlds/requested_parts.hh"

namespace tributary {

/// A world of modelled links in virtual time. Deterministic: the same table, scenario and seed give the same events.
class SimulatedWorld : public World {
 public:
  /// Links are numbered in the order of the scenario. `at_start`: live, segments that exist at the start, while all
  /// others are published in real (virtual) time; 0: on demand (SessionOptions::segments_at_start).
  /// `origin`: the sizes that parts really have, if the table holds estimates. `frames`: those that the
  /// session is told; null: of none. What is given must outlive the world.
  SimulatedWorld(const SegmentTable& table, std::vector<LinkScenario> links, std::uint64_t seed, std::uint32_t at_start,
                 const SegmentTable* origin = nullptr, const FramesOfTracks* frames = nullptr);

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;

 private:
  struct Link {
    Link(LinkScenario conditions, LinkId id, std::uint64_t seed);
    void look_ahead();

    LinkScenario scenario;
    Bottleneck bottleneck;
    std::map<LinkId, SimulatedTransport> connections;  // the first has the id of the link
    bool up = false;
    TimePoint next_change{};           // TimePoint::max(): never
    TimePoint due = TimePoint::max();  // time of the next event
  };

  /// TimePoint::max() if nothing will ever happen.
  TimePoint earliest() const;
  void move_to(TimePoint now);
  void change_state(LinkId id, Link& link);
  void tell_frames(const action::StartSegment& start, TimePoint now);
  Link& link_with(LinkId connection) { return *links_[to_index(link_of(connection))]; }
  void take_events(Link& link);
  void take_events(LinkId id, SimulatedTransport& transport);
  void open(LinkId lane, TimePoint now);

  std::vector<std::unique_ptr<Link>> links_;  // the transports refer to the scenarios
  std::optional<LiveReplay> live_;
  const SegmentTable& origin_;
  RequestedParts parts_;
  const FramesOfTracks* frames_;
  AskedSizes asked_sizes_;
  TimePoint now_;
  std::optional<event::BytesReceived> first_;  // of the present events; mostly the only one
  Queue<TimedEvent> happened_;
};

}  // namespace tributary
