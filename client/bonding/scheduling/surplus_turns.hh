#pragma once

#include <map>
#include <optional>
#include <span>

#include "bonding/scheduling/path_weights.hh"

namespace tributary::bonding {

/// Surplus round robin: each path in turn gets credit in proportion to its weight, and sends while it has some. The last
/// packet may take more than what is left, which the path owes then. So no packet is divided, and bytes follow the weights.
class SurplusTurns {
 public:
  /// The path of the next packet, the same one until it is sent. `paths` are not empty, and sorted by id.
  PathId next(std::span<const WeightedPath> paths, DataSize packet);
  void sent(PathId path, DataSize packet);

 private:
  double largest_ = 0;  // bytes of a packet: what the heaviest path gets each time. More would make bursts
  std::optional<PathId> turn_;
  std::map<PathId, double> credit_;  // bytes
};

}  // namespace tributary::bonding
