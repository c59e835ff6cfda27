#pragma once

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "bonding/scheduling/path_scheduler.hh"
#include "bonding/windows/delay_estimate.hh"
#include "bonding/windows/delivery_rate.hh"
#include "bonding/windows/path_window.hh"
#include "bonding/windows/way_there.hh"
#include "units/least_delay.hh"

namespace tributary::bonding {

/// What one end sends over one path, and what it knows of the path from the answers.
class PathSender {
 public:
  PathSender(PathId id, const SchedulerKind& kind)
      : id_{id}, rates_by_trains_{kind.by_trains}, window_{make_path_window(kind.window)} {}

  /// The number of the next packet. It is never given again.
  PathSequence next_sequence() { return std::exchange(next_, next(next_)); }
  /// A packet that asks for feedback.
  struct Sent {
    PathSequence sequence{};
    DataSize size;
    std::optional<GlobalSequence> inner{};
  };
  void sent(const Sent& packet, TimePoint now);
  /// For now it gets no more: nothing waits, or what waits goes over another path.
  void gets_no_more(bool nothing_waits, TimePoint now);
  /// One that asks for none.
  void sent_unasked(PathSequence sequence) { sent_.sent_unasked(sequence); }

  /// `told_at`: when the peer sent the feedback, by its clock.
  SentPackets::News take_in(const Feedback& feedback, SentTime told_at, TimePoint now);
  /// Gives up what is on its way, after a time-out.
  std::vector<SentPacket> give_up(TimePoint now);
  /// A packet train has told the rate.
  void measured(DataRate by_train) { by_train_ = by_train; }

  /// When the answer to a packet should be there that is sent now.
  Duration time_out() const;
  bool owes_answers() const { return sent_.in_flight().packets > 0; }
  const InFlight& in_flight() const { return sent_.in_flight(); }
  std::optional<Duration> round_trip() const { return round_trip_.smoothed(); }
  /// For a packet of this size.
  PathView view(DataSize size, TimePoint now) const;

 private:
  Duration overdue(TimePoint now) const;
  void count_losses(const SentPackets::News& news);

  PathId id_;
  bool rates_by_trains_;  // and unknown before the first one
  std::unique_ptr<PathWindow> window_;
  PathSequence next_{};
  SentPackets sent_;
  DeliveryRate delivery_;
  DelayEstimate round_trip_;
  static constexpr Duration kLeastWithin = std::chrono::seconds{10};
  LeastDelay least_delay_{kLeastWithin};
  WayThere way_there_;
  std::optional<DataRate> by_train_;
  double arrived_lately_ = 0, lost_lately_ = 0;  // packets, of the last few hundred
  TimePoint last_used_{};
};

}  // namespace tributary::bonding
