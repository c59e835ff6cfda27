#include "bonding/scheduling/surplus_round_robin.hh"

#include <vector>

#include "bonding/scheduling/path_weights.hh"

namespace tributary::bonding {

std::optional<PathId> SurplusRoundRobin::choose(const NextPacket& packet, std::span<const PathView> paths,
                                                TimePoint /*now*/) {
  if (paths.empty()) return std::nullopt;
  return turns_.next(paths_by_rate(paths), packet.size);
}

}  // namespace tributary::bonding
