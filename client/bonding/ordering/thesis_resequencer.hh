#pragma once

#include <map>

#include "bonding/ordering/resequencer.hh"
#include "bonding/windows/delay_estimate.hh"

namespace tributary::bonding {

/// The resequencer of the thesis (section 5.1.1, figures 5.5 and 5.6) and of the UDP paper (docs/bonding.md).
///
/// No path reorders by itself, so nothing is missing below the least over all paths of the highest number that came over
/// each: all up to it is released. A packet that is next in order is released with those that follow it, and one that is
/// late at once. A time-out ends the wait: the first and the second in a row release one packet, the third releases all. It
/// is RFC 6298's for the one-way delay, of the path where it is longest, and begins anew with each packet in order.
///
/// It has no bound in memory, as in the thesis: the sender's windows bound what can arrive within three time-outs.
class ThesisResequencer final : public Resequencer {
 public:
  void path_joined(PathId path) override;
  std::vector<Bytes> path_left(PathId path, TimePoint now) override;
  void one_way_delay(PathId path, Duration delay) override;
  std::vector<Bytes> arrived(ArrivedPacket packet, TimePoint now) override;
  std::optional<TimePoint> next_deadline() const override { return expires_; }
  std::vector<Bytes> wake(TimePoint now) override;
  DataSize held() const override { return held_bytes_; }

 private:
  struct Path {
    std::optional<GlobalSequence> highest;
    DelayEstimate delay;
  };

  Duration time_out() const;
  /// All below it are released or given up; 0: nothing is.
  GlobalSequence covered_end() const;
  void release_front(std::vector<Bytes>& released);
  void release_below(GlobalSequence end, std::vector<Bytes>& released);
  void release_in_order(std::vector<Bytes>& released);
  void restart_timer(TimePoint now);

  std::map<PathId, Path> paths_;
  std::map<GlobalSequence, Bytes> held_;
  DataSize held_bytes_;
  GlobalSequence expected_{};
  int expired_ = 0;  // time-outs in a row
  std::optional<TimePoint> expires_;
};

}  // namespace tributary::bonding
