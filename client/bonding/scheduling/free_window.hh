#pragma once

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Algorithm 1 of the UDP paper (docs/bonding.md): of the paths with an open window, the one with the most free packets in it.
class FreeWindow final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
};

}  // namespace tributary::bonding
