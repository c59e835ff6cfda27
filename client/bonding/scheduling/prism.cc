#include "bonding/scheduling/prism.hh"

#include <tuple>

namespace tributary::bonding {

std::optional<PathId> Prism::choose(const NextPacket& /*packet*/, std::span<const PathView> paths, TimePoint now) {
  double all_windows = 0;
  for (const PathView& path : paths) all_windows += path.window;
  const PathView* best = nullptr;
  const auto key = [&](const PathView& path) { return std::tuple{utilisation(path, all_windows), path.last_used}; };
  for (const PathView& path : paths) {
    if (is_open(path, now) && (best == nullptr || key(path) < key(*best))) best = &path;
  }
  return best == nullptr ? std::nullopt : std::optional{best->id};
}

}  // namespace tributary::bonding
