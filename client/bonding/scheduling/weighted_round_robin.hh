#pragma once

#include <map>

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Each path in turn, for as many bytes as its rate allows it in a round: deficit round robin (Shreedhar and Varghese, 1995)
/// with the rates as quanta. Paths whose rate is not known yet get as much as the mean of the others.
class WeightedRoundRobin final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& packet) override;

 private:
  void begin_round(std::span<const PathView> paths);

  std::map<PathId, double> left_;  // bytes of this round
};

}  // namespace tributary::bonding
