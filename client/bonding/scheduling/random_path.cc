#include "bonding/scheduling/random_path.hh"

namespace tributary::bonding {

std::optional<PathId> RandomPath::choose(const NextPacket& /*packet*/, std::span<const PathView> paths,
                                         TimePoint /*now*/) {
  if (paths.empty()) return std::nullopt;
  return paths[random_.below(static_cast<std::uint32_t>(paths.size()))].id;
}

}  // namespace tributary::bonding
