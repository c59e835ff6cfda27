#pragma once

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Each path in turn, whatever it carries: what others are compared with (thesis figure 1.6).
class RoundRobin final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& /*packet*/) override { last_ = path; }

 private:
  std::optional<PathId> last_;
};

}  // namespace tributary::bonding
