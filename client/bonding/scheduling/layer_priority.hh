#pragma once

#include <map>
#include <vector>

#include "bonding/scheduling/allocation.hh"
#include "bonding/scheduling/path_scheduler.hh"
#include "bonding/scheduling/surplus_turns.hh"

namespace tributary::bonding {

/// Layer-priority striping (MC², section III-D): the most important subflow goes over the paths that lose least, by the rates
/// of both; subflows that do not fit are not sent. The packets of a subflow are divided among its paths in proportion to its
/// shares. Each packet is allocated by what is known at that moment, so subflows move up when a better path appears, and down
/// when the best one goes. Until a rate is measured, all paths take turns.
class LayerPriority final : public PathScheduler {
 public:
  explicit LayerPriority(Sharing sharing) : sharing_{sharing} {}

  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& packet) override { turns_[packet.subflow].sent(path, packet.size); }

 private:
  std::vector<WeightedPath> paths_of(const NextPacket& packet, std::span<const PathView> paths) const;

  Sharing sharing_;
  std::map<Subflow, SurplusTurns> turns_;
};

}  // namespace tributary::bonding
