#pragma once

#include "bonding/windows/path_window.hh"

namespace tributary::bonding {

/// Ours: packets leave at the rate at which the path delivers, and about twice the bytes that fill it may be on their way.
/// A loss by itself means nothing: links of radio lose packets at any rate, and a queue that is never filled loses none.
///
/// After the model of BBR (Cardwell et al., ACM Queue 14(5), 2016), in small: it begins by doubling its rate in each round
/// trip, until that brings no more (rounds in which the path was left idle do not tell), or a queue stands in the path (as RFC
/// 9406 finds it). Then it drains that queue. After that it tries a quarter more in one round trip of eight, and then a
/// quarter less until the queue is gone; what is delivered meanwhile does not tell what the path can do. When more than a
/// tenth of fifty packets or of a round trip is lost, the rate is too high: window and pace shrink for as long as that lasts.
/// After a time-out it begins anew.
class PacedWindow final : public PathWindow {
 public:
  void sent(DataSize size, const InFlight& before, TimePoint now) override;
  void take_in(const PathNews& news, TimePoint now) override;
  void timed_out(TimePoint now) override;
  std::optional<TimePoint> opens_at(DataSize size, const InFlight& in_flight, TimePoint now) const override;
  /// At the start, what was measured is what was sent. The path is likely to be worth twice as much, and at least a first
  /// window in each round trip.
  std::optional<DataRate> likely_rate(const std::optional<DataRate>& measured) const override;
  double packets() const override { return window() / static_cast<double>(packet_.bytes()); }
  bool holds_back() const override { return gain() < 1; }

  enum class Phase { kStart, kDrain, kCruise };
  Phase phase() const { return phase_; }
  /// The rate at which packets leave now.
  DataRate pace() const;

 private:
  double window() const;  // in bytes
  double gain() const;
  bool is_drained(const InFlight& in_flight) const;
  void begin_cruise(TimePoint now);
  void look_for_queue(const PathNews& news);
  void look_for_plateau(const PathNews& news);
  void look_for_next_step(const PathNews& news, TimePoint now);
  void look_at_losses();
  DataSize full_path() const;

  Phase phase_ = Phase::kStart;
  std::optional<DataRate> rate_;
  std::optional<Duration> least_delay_;
  TimePoint leaves_next_{};  // the next packet, by the pace
  DataSize packet_{1300};    // the largest; windows are for full packets, however small those are that were sent

  struct Queue {
    int samples = 0;
    Duration least{};
  };
  Queue queue_;                  // of this round, in kStart
  DataRate plateau_;             // the rate of the round that was the last to bring a quarter more
  int rounds_without_gain_ = 0;  // since then
  int step_ = 0;                 // of the cycle, in kCruise
  TimePoint step_began_{};
  std::size_t arrived_ = 0, lost_ = 0;  // since the losses were judged
  double restraint_ = 1;                // of window and pace, after rounds with many losses
};

}  // namespace tributary::bonding
