#pragma once

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Thesis Algorithm 4, after TCP PRISM: of the paths with an open window, the one with the least packets on their way per
/// share of all windows, inflight / (window / sum of windows). Ties go to the path that was used least recently.
class Prism final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;

  /// 3 packets of a window of 4 beside one of 2: 3 / (4 / 6) = 4.5 (thesis figure 5.4).
  static double utilisation(const PathView& path, double all_windows) {
    return static_cast<double>(path.in_flight.packets) / (path.window / all_windows);
  }
};

}  // namespace tributary::bonding
