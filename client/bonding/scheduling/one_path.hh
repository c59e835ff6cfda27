#pragma once

#include "bonding/scheduling/handover_rule.hh"
#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Everything over one path, which the handover rule chooses (thesis chapter 3), and the peer is asked to use it as well. An
/// end that is asked for a path obeys for as long as that is there.
class OnePath final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void asked_for(PathId path) override { asked_for_ = path; }
  std::optional<PathId> to_ask_for() override;

 private:
  HandoverRule rule_;
  std::optional<PathId> asked_for_, decided_, told_;
};

}  // namespace tributary::bonding
