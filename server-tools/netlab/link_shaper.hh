#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "simulation/scenario.hh"
#include "units/data_size.hh"
#include "units/split_mix.hh"

namespace tributary {

/// An Ethernet frame without its checksum, and before it a header of the system, which takes no time on a link.
struct Frame {
  std::vector<std::byte> bytes;
  std::size_t header = 0;

  DataSize size() const { return DataSize{static_cast<std::int64_t>(bytes.size() - header)}; }
};

/// The fate of the frames of one direction so far.
struct ShaperCounters {
  std::uint64_t frames = 0;  // delivered
  DataSize bytes;            // delivered
  std::uint64_t dropped_queue = 0, dropped_loss = 0, dropped_down = 0;
};

/// One direction of a link: decides when each frame arrives at the other end, or drops it. A frame waits in the
/// drop-tail queue, is sent at the rate of the link, and then travels for half of the RTT plus jitter, without
/// overtaking another. Lost frames use the link like any other. If the link goes down, all frames on it are dropped,
/// and so are new ones.
///
/// Owns no clock: time is an argument and must not go back. Each departure follows from the one before, and not from
/// the times of the calls, so that late calls do not slow the link.
class LinkShaper {
 public:
  /// With the same seed, the same frames are lost and delayed.
  LinkShaper(const LinkCondition& condition, std::uint64_t seed) : condition_{condition}, random_{seed} {}

  /// A frame that is being sent goes on at the new rate. Frames that travel already are not affected, unless the link
  /// goes down.
  void change(const LinkCondition& condition, TimePoint now);
  void enqueue(Frame frame, TimePoint now);

  /// The frames that have arrived, in order.
  std::vector<Frame> take_arrived(TimePoint now);
  /// The time of the next take_arrived(), at the latest that of the next arrival. Nothing if there is nothing to wait
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
