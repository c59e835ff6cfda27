#include "bonding/scheduling/surplus_turns.hh"

#include <algorithm>

namespace tributary::bonding {
PathId SurplusTurns::next(std::span<const WeightedPath> paths, DataSize packet) {
  largest_ = std::max(largest_, static_cast<double>(packet.bytes()));
  const double bytes_by_weight = largest_ / std::ranges::max(paths, {}, &WeightedPath::weight).weight;
  auto path = std::ranges::find_if(paths, [&](const WeightedPath& each) { return each.path == turn_; });
  if (path == paths.end()) {
    path = std::ranges::find_if(paths, [&](const WeightedPath& each) { return turn_ && each.path > *turn_; });
    if (path == paths.end()) path = paths.begin();
    credit_[path->path] += bytes_by_weight * path->weight;
  }
  while (credit_[path->path] <= 0) {
    if (++path == paths.end()) path = paths.begin();
    credit_[path->path] += bytes_by_weight * path->weight;
  }
  turn_ = path->path;
  return *turn_;
}

void SurplusTurns::sent(PathId path, DataSize packet) { credit_[path] -= static_cast<double>(packet.bytes()); }

}  // namespace tributary::bonding
