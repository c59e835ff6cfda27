#pragma once

#include "bonding/scheduling/handover_rule.hh"
#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Everything over one path, which the handover rule chooses (thesis section 3.4). Each end chooses for what it sends, by the
/// rates of that direction: the fastest way down need not be the fastest up.
class OnePath final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;

 private:
  HandoverRule rule_;
};

}  // namespace tributary::bonding
