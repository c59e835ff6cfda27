#include "bonding/scheduling/round_robin.hh"

#include <algorithm>

namespace tributary::bonding {

std::optional<PathId> RoundRobin::choose(const NextPacket& /*packet*/, std::span<const PathView> paths,
                                         TimePoint /*now*/) {
  if (paths.empty()) return std::nullopt;
  const auto after =
      std::ranges::find_if(paths, [&](const PathView& path) { return last_.has_value() && path.id > *last_; });
  return after == paths.end() ? paths.front().id : after->id;
}

}  // namespace tributary::bonding
