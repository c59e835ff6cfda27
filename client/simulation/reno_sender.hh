#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A sender of TCP that knows nothing but numbers of acknowledgments: the window of RFC 5681 with the limited transmit of RFC 3042, the
/// recovery of RFC 6582 and the timer of RFC 6298. It always has something to send. Three acknowledgments of the same number are a loss
/// to it, whatever their cause. Bytes are numbered from 0.
class RenoSender {
 public:
  struct Segment {
    std::uint64_t sequence = 0;
    std::uint32_t length = 0;
  };
  static constexpr DataSize kAnything{1'000'000'000};
  /// `allowed`: what the receiver allows to be on its way.
  RenoSender(DataSize segment, TimePoint now, DataSize allowed = kAnything)
      : size_{segment.bytes()}, allowed_{allowed / segment}, timer_{now + kFirstTimeOut} {}

  /// What may leave now, in this order.
  std::vector<Segment> take_segments(TimePoint now);
  /// All bytes before this one have arrived.
  void acknowledged(std::uint64_t next_expected, TimePoint now);

  TimePoint next_deadline() const { return timer_; }
  /// The deadline has passed.
  void wake(TimePoint now);

  std::uint64_t retransmissions() const { return retransmissions_; }

 private:
  static constexpr Duration kFirstTimeOut = std::chrono::seconds{1};

  void send_again(std::uint64_t sequence);
  void progress(std::uint64_t next_expected, TimePoint now);
  void duplicate();
  void measure(TimePoint now);
  bool duplicates_count() const { return !recover_ || acknowledged_ > *recover_; }
  double in_flight() const { return static_cast<double>(next_ - acknowledged_) / static_cast<double>(size_); }
  double halved() const;

  std::int64_t size_;
  double allowed_;                                                       // segments
  double window_ = 10, threshold_ = std::numeric_limits<double>::max();  // segments
  std::uint64_t next_ = 0, acknowledged_ = 0, highest_ = 0;
  std::optional<std::uint64_t> recover_;  // duplicates of numbers up to this are no sign of a loss
  bool recovering_ = false;
  int duplicates_ = 0;
  std::vector<Segment> again_;
  std::uint64_t retransmissions_ = 0;

  struct Timed {
    std::uint64_t end;
    TimePoint sent;
  };
  std::optional<Timed> timed_;  // a segment of which the round trip is measured
  std::optional<Duration> round_trip_;
  Duration deviation_{}, time_out_ = kFirstTimeOut;
  TimePoint timer_;
};

/// Its receiver: acknowledges every segment at once, those that came before as well.
class RenoReceiver {
 public:
  /// The number of the acknowledgment.
  std::uint64_t got(const RenoSender::Segment& segment);
  DataSize in_order() const { return DataSize{static_cast<std::int64_t>(next_expected_)}; }

 private:
  std::uint64_t next_expected_ = 0;
  std::set<std::uint64_t> out_of_order_;
};

}  // namespace tributary
