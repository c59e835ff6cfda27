#pragma once

#include <optional>

#include "simulation/queue.hh"
#include "simulation/scenario.hh"
#include "units/split_mix.hh"

namespace tributary {

/// The narrowest point of a link, in the direction from the origin. Packets wait in a drop-tail queue, leave at the
/// link's rate of the moment, and arrive half a round trip (and jitter) later, in order. The scenario tells the fate of
/// a packet at the moment when it enters.
class Bottleneck {
 public:
  /// The scenario must outlive it. The seed decides loss and jitter.
  Bottleneck(const LinkScenario& scenario, std::uint64_t seed) : entrance_{scenario}, exit_{scenario}, random_{seed} {}

  /// The time at which a packet that enters now arrives at the other end; nothing if it is lost. `now` must not go
  /// backwards.
  std::optional<TimePoint> send(DataSize frame, TimePoint now);

 private:
  ScenarioCursor entrance_, exit_;  // where packets enter the queue, and when they leave it
  SplitMix random_;
  Queue<TimePoint> departures_;  // of the packets in the queue
  TimePoint last_arrival_;
};

}  // namespace tributary
