#pragma once

#include <map>
#include <string>

#include "core/links/link_estimator.hh"
#include "core/world.hh"
#include "worlds/memory/link_memory.hh"

namespace tributary {

/// A world that says of links that come up what they could do in earlier sessions, and remembers what they do in this one: of each
/// minute, until a link goes down, and at the end. So of a program that is killed little is lost. A link that carried too little
/// to know is as it was before.
class RememberingWorld : public World {
 public:
  /// World and memory must outlive it. Without a memory it only passes on.
  RememberingWorld(World& world, LinkMemory* memory) : world_{world}, memory_{memory} {}
  ~RememberingWorld() override { remember(); }
  RememberingWorld(const RememberingWorld&) = delete;

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;

 private:
  struct Link {
    std::string network;  // since it came up
    BusyRate rate;
    BusyRate::Measured remembered{};  // of that
    Duration least_round_trip{};      // 0: not measured
  };
  struct Request {
    LinkId link{};
    TimePoint sent;
    DataSize received{};
  };
  void note(Event& event, TimePoint at);
  /// What is known of the network, if that is enough, and counts from now on.
  static std::optional<RememberedLink> take(Link& link);
  void remember();

  World& world_;
  LinkMemory* memory_;
  TimePoint remembered_at_{};
  std::map<LinkId, Link> links_;
  std::map<RequestId, Request> requests_;
};

}  // namespace tributary
