#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "bonding/ordering/path_delay.hh"
#include "bonding/ordering/resequencer.hh"

namespace tributary::bonding {

/// Ours. Each packet states when it left, and those in front of it left earlier. So it waits until a packet that left at that
/// moment would have come over the slowest path, by the delays of the latest packets. A packet waits for at most 400 ms, and all
/// waiting packets take at most 8 MB: beyond either, the oldest are released.
///
/// As in the thesis, a missing packet is given up when each path has brought a newer one. A path that was idle for a second is
/// not waited for, unless only its loss can explain a gap.
class BoundedResequencer final : public Resequencer {
 public:
  static constexpr Duration kLongestWait = std::chrono::milliseconds{400};
  static constexpr DataSize kMostHeld{8'000'000};
  /// What a packet that waits takes beside its bytes: peers choose how small their packets are.
  static constexpr DataSize kHeldOverhead{200};

  void path_joined(PathId path) override { paths_.try_emplace(path); }
  void came(PathId path, SentTime sent_at, TimePoint now) override;
  std::vector<Bytes> path_left(PathId path, TimePoint now) override;
  std::vector<Bytes> arrived(ArrivedPacket packet, TimePoint now) override;
  std::optional<TimePoint> next_deadline() const override;
  std::vector<Bytes> wake(TimePoint now) override;
  DataSize held() const override { return held_bytes_; }
  /// Packets that it has looked at so far, whatever for: its work, which must not grow with what it holds.
  std::size_t looked_at() const { return looked_at_; }

 private:
  struct Path {
    PathDelay delay;
    std::optional<GlobalSequence> highest;
    std::optional<TimePoint> used_at;  // when it brought something, or was found to be about to
  };
  struct Held {
    Bytes packet;
    TimePoint left_at, came_at;
  };

  Duration taken(SentTime sent_at, TimePoint now);
  bool is_used(const Path& path, TimePoint now) const;
  void look_for_used_paths(const ArrivedPacket& packet, TimePoint now);
  void look_at_delays(TimePoint now);
  GlobalSequence covered_end(TimePoint now) const;
  GlobalSequence due_end(TimePoint now);
  bool holds_too_much() const;
  void release_front(std::vector<Bytes>& released);
  void release_due(TimePoint now, std::vector<Bytes>& released);

  std::optional<Duration> first_taken_;
  std::optional<Duration> slowest_;  // of the paths in use: the bound of their delays
  std::map<PathId, Path> paths_;
  std::map<GlobalSequence, Held> held_;
  std::set<std::pair<TimePoint, GlobalSequence>> by_left_, by_came_;  // of those held: what is due next comes first
  std::size_t looked_at_ = 0;
  DataSize held_bytes_;
  GlobalSequence expected_{};
};

}  // namespace tributary::bonding
