#include "bonding/scheduling/one_path.hh"

#include <algorithm>
#include <vector>

namespace tributary::bonding {

std::optional<PathId> OnePath::choose(const NextPacket& /*packet*/, std::span<const PathView> paths, TimePoint now) {
  std::vector<PathQuality> qualities;
  for (const PathView& path : paths) {
    qualities.push_back({.id = path.id, .capacity = path.rate.value_or(DataRate{}), .loss = path.loss});
  }
  const auto id = rule_.decide(qualities, now);
  const auto path = std::ranges::find_if(paths, [&](const PathView& view) { return view.id == id; });
  return path != paths.end() && is_open(*path, now) ? id : std::nullopt;
}

}  // namespace tributary::bonding
