#pragma once

#include "bonding/scheduling/path_scheduler.hh"
#include "bonding/scheduling/surplus_turns.hh"

namespace tributary::bonding {

/// Bytes in proportion to the paths' rates, by surplus round robin: what MC² calls weighted round robin. WeightedRoundRobin
/// sends a packet only where the credit covers it.
class SurplusRoundRobin final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& packet) override { turns_.sent(path, packet.size); }

 private:
  SurplusTurns turns_;
};

}  // namespace tributary::bonding
