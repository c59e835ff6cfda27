#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "bonding/bonding_options.hh"
#include "bonding/inner/inner_queue.hh"
#include "bonding/inner/subflow_rates.hh"
#include "bonding/inner/unconfirmed_packets.hh"
#include "bonding/paths/tunnel_path.hh"
#include "bonding/probing/reinjection_budget.hh"

namespace tributary::bonding {

/// Decides which inner packet goes over which path next. Packets wait here; those of a path that fell silent come again, each
/// under its old number, within a budget of bytes.
class OutgoingPackets {
 public:
  explicit OutgoingPackets(const BondingOptions& options);

  const SchedulerKind& kind() const { return kind_; }

  void add(Bytes packet, TimePoint now);

  struct Decision {
    PathId path{};
    GlobalSequence sequence{};
    Bytes packet;
  };
  /// The next packet that one of the paths takes now.
  std::optional<Decision> next(const TunnelPaths& paths, TimePoint now);

  void arrived(std::span<const SentPacket> packets);
  /// They are not coming, one by one: the path lives, and inner protocols mend that.
  void lost(std::span<const SentPacket> packets) { arrived(packets); }
  /// Their path fell silent.
  void stranded(std::span<const SentPacket> packets, TimePoint now);

  bool waits() const { return !again_.empty() || !queue_.empty(); }
  /// When a path opens that is closed now, after next() gave nothing.
  std::optional<TimePoint> next_try() const { return waits() ? next_try_ : std::nullopt; }
  std::uint64_t dropped() const { return queue_.dropped() + dropped_; }
  std::uint64_t reinjected() const { return reinjected_; }

 private:
  std::optional<PathId> choose(const Bytes& packet, Flow flow, const TunnelPaths& paths, TimePoint now);
  const UnconfirmedPackets::Copy* first_again();
  Decision take_again(PathId path);
  Decision take_new(PathId path, TimePoint now);

  const SchedulerKind& kind_;
  std::unique_ptr<PathScheduler> scheduler_;
  SubflowRates subflows_;
  InnerQueue queue_;
  UnconfirmedPackets unconfirmed_;
  ReinjectionBudget budget_;
  std::deque<GlobalSequence> again_;
  GlobalSequence next_sequence_{};
  std::optional<TimePoint> next_try_;
  bool refused_ = false;  // the packet that was last shown to the scheduler, although all paths were open
  std::uint64_t dropped_ = 0, reinjected_ = 0;
};

}  // namespace tributary::bonding
