#pragma once

#include <array>

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Ours: the path that delivers the packet first, by its rate, its delay, and what is on its way over it. If that path is
/// closed for the moment, the packet waits for it, unless another path delivers it before the first one has delivered all
/// that waits (ECF: Lim et al., CoNEXT 2017).
///
/// An answer that is overdue by some time is expected to take as long again: a path that has died loses its packets to the
/// others long before it is known to be dead.
///
/// A packet stays on the path of the one before it in its flow where that delivers at most 3 ms later than the best:
/// packets of a flow then seldom overtake each other.
class EarliestDelivery final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& packet) override { last_path(packet.flow) = path; }

  /// When a path that is asked at `now` has delivered `size` bytes more.
  static TimePoint delivered_at(const PathView& path, DataSize size, TimePoint now);

 private:
  std::optional<PathId>& last_path(Flow flow) { return last_paths_[to_index(flow) % last_paths_.size()]; }

  std::array<std::optional<PathId>, 1024> last_paths_;  // by flow; flows that share a place share a path
};

}  // namespace tributary::bonding
