#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "simulation/scenario.hh"
#include "simulation/split_mix.hh"
#include "units/data_size.hh"

namespace tributary {

/// An Ethernet frame without its checksum.
using Frame = std::vector<std::byte>;

/// What has happened to the frames of one direction so far.
struct ShaperCounters {
  std::uint64_t frames = 0;  // delivered
  DataSize bytes;            // delivered
  std::uint64_t dropped_queue = 0, dropped_loss = 0, dropped_down = 0;
};

/// One direction of a link: decides when each frame arrives at the other end, or that it does not. A frame
/// waits in the drop-tail queue, is sent at the rate of the link, and then travels for half of the RTT, plus
/// jitter, overtaking none. Lost frames use the link like any other. When the link is down, everything on it
/// and all that comes is dropped.
///
/// Owns no clock: time is an argument and must not go back. Departures follow from one another, not from the
/// moments of the calls, so that late calls do not slow the link.
class LinkShaper {
 public:
  /// The same seed loses and delays the same frames.
  LinkShaper(const LinkCondition& condition, std::uint64_t seed) : condition_{condition}, random_{seed} {}

  /// A frame that is being sent goes on at the new rate; those already travelling are not affected, except by
  /// an end of the link.
  void change(const LinkCondition& condition, TimePoint now);
  void enqueue(Frame frame, TimePoint now);

  /// The frames that have arrived, in order.
  std::vector<Frame> take_arrived(TimePoint now);
  /// When to call take_arrived next: not later than the next arrival. Nothing when there is nothing to wait
  /// for.
  std::optional<TimePoint> next_deadline() const;

  /// Frames in the queue, without the one that is being sent.
  std::size_t waiting() const { return queue_.empty() ? 0 : queue_.size() - 1; }
  const ShaperCounters& counters() const { return counters_; }

 private:
  struct Travelling {
    Frame frame;
    TimePoint arrival;
  };

  void advance(TimePoint now);
  void begin_sending(TimePoint now);
  std::optional<TimePoint> end_of_sending() const;
  void depart(Frame frame, TimePoint now);
  void drop_everything();

  LinkCondition condition_;
  SplitMix random_;
  std::deque<Frame> queue_;  // the front is being sent
  double bits_left_ = 0;     // of the front, at sending_since_
  TimePoint sending_since_{};
  std::deque<Travelling> travelling_;  // sorted by arrival
  TimePoint last_arrival_{};
  ShaperCounters counters_;
};

}  // namespace tributary
