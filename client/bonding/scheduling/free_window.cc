#include "bonding/scheduling/free_window.hh"

namespace tributary::bonding {

std::optional<PathId> FreeWindow::choose(const NextPacket& /*packet*/, std::span<const PathView> paths, TimePoint now) {
  const PathView* best = nullptr;
  const auto free = [](const PathView& path) { return path.window - static_cast<double>(path.in_flight.packets); };
  for (const PathView& path : paths) {
    if (is_open(path, now) && (best == nullptr || free(path) > free(*best))) best = &path;
  }
  return best == nullptr ? std::nullopt : std::optional{best->id};
}

}  // namespace tributary::bonding
