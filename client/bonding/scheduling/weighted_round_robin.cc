#include "bonding/scheduling/weighted_round_robin.hh"

#include <algorithm>

#include "bonding/scheduling/path_weights.hh"

namespace tributary::bonding {
namespace {

constexpr double kRound = 20'000;  // bytes over all paths: about as many packets as a send vector has

}  // namespace

std::optional<PathId> WeightedRoundRobin::choose(const NextPacket& packet, std::span<const PathView> paths,
                                                 TimePoint /*now*/) {
  if (paths.empty()) return std::nullopt;
  const auto size = static_cast<double>(packet.size.bytes());
  const auto with_credit = [&] {
    return std::ranges::find_if(paths, [&](const PathView& path) { return left_[path.id] >= size; });
  };
  // A path of the least rate gets its packet after some rounds.
  for (int rounds = 0; rounds < 1000; ++rounds) {
    const auto path = with_credit();
    if (path != paths.end()) return path->id;
    begin_round(paths);
  }
  return paths.front().id;
}

void WeightedRoundRobin::begin_round(std::span<const PathView> paths) {
  const std::vector<double> weights = path_weights(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) left_[paths[i].id] += kRound * weights[i];
}

void WeightedRoundRobin::chosen(PathId path, const NextPacket& packet) {
  left_[path] -= static_cast<double>(packet.size.bytes());
}

}  // namespace tributary::bonding
