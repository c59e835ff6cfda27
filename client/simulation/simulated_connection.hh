#pragma once

#include <cstdint>
#include <optional>

#include "simulation/bottleneck.hh"
#include "simulation/congestion_window.hh"
#include "simulation/queue.hh"
#include "units/data_size.hh"
#include "units/round_trip.hh"

namespace tributary {

/// One TCP connection over a modelled link, seen by the client. The handshake takes a round trip. A request arrives at
/// the server half a round trip later. The server answers at once, as fast as its congestion window and the bottleneck
/// allow. Lost packets are found and sent again; the client receives bytes in order.
class SimulatedConnection {
 public:
  SimulatedConnection(const LinkScenario& scenario, Bottleneck& bottleneck, TimePoint now);

  /// The client sends a request; its answer will have `answer` bytes.
  void ask(DataSize request, DataSize answer, TimePoint now);

  /// The earliest time at which the client receives bytes that are on their way; TimePoint::max() if none are. Until
  /// then only the server acts, and the caller may leave that to the next advance().
  TimePoint next_arrival() const { return next_of(data_).at; }
  /// The next time at which anything happens, at the server or at the client.
  std::optional<TimePoint> next_deadline() const;
  /// Moves on to `now` (at most next_arrival() or, if nothing is on its way, next_deadline()). Returns the bytes that
  /// the client received at that moment.
  DataSize advance(TimePoint now);

  RoundTrip round_trip() const { return {smoothed_round_trip_, least_round_trip_.value_or(smoothed_round_trip_)}; }
  TimePoint established_at() const { return established_at_; }

 private:
  struct Bytes {
    std::int64_t begin, end;  // of the stream
  };
  struct Transmission {
    std::int64_t begin, end;  // bytes of the stream
    TimePoint sent;
    bool acknowledged = false;
    bool given_up = false;  // counted as lost, and no longer as in flight
  };
  struct Happening {
    TimePoint at;
    std::uint64_t order;  // number by creation; of two at the same time, the lower happens first
    std::int64_t value;   // bytes of the answer, or number of the transmission
    bool before(const Happening& other) const { return at != other.at ? at < other.at : order < other.order; }
  };
  using Happenings = Queue<Happening>;  // still to come, sorted

  static constexpr Happening kNever{TimePoint::max(), 0, 0};
  static const Happening& next_of(const Happenings& happenings) {
    return happenings.empty() ? kNever : happenings.front();
  }
  void schedule(Happenings& happenings, TimePoint at, std::int64_t value) {
    const Happening happening{at, scheduled_++, value};
    if (happenings.empty() || happenings.back().at <= at) {
      happenings.push_back(happening);
    } else {
      schedule_before_others(happenings, happening);
    }
  }
  void schedule_before_others(Happenings& happenings, const Happening& happening);
  void request_arrives(std::int64_t answer);
  void data_arrives(std::int64_t number);
  void keep_for_later(Bytes bytes);
  void acknowledgement_arrives(std::int64_t number);
  void timer_fires();
  void find_losses(std::int64_t acknowledged);
  void send_what_the_window_allows();
  void transmit(std::int64_t begin, std::int64_t end);
  void give_up(std::int64_t number);
  Duration retransmission_timeout() const;
  Transmission& transmission(std::int64_t number) { return transmissions_[static_cast<std::size_t>(number - first_)]; }

  ScenarioCursor scenario_;
  Bottleneck& bottleneck_;
  TimePoint now_;
  TimePoint established_at_;
  std::uint64_t scheduled_ = 0;
  Happenings requests_, data_, acknowledgements_;  // arrivals; they seldom overtake others of their kind

  // the server
  CongestionWindow window_;
  std::int64_t written_ = 0;           // bytes of all answers so far
  std::int64_t next_byte_ = 0;         // the first byte that was never sent
  Queue<Transmission> transmissions_;  // in the order of sending, from number first_ on
  std::int64_t first_ = 0;
  Queue<Bytes> to_repeat_;
  std::int64_t in_flight_ = 0;        // packets
  std::int64_t recovery_until_ = -1;  // losses up to this transmission count as one
  bool probed_ = false;               // a tail loss probe was sent since the last acknowledgement
  std::int64_t peak_ = 0;             // the most packets in flight since the last idle time
  std::optional<TimePoint> timer_;
  std::optional<TimePoint> idle_since_;
  Duration smoothed_round_trip_;  // begins with that of the handshake
  std::optional<Duration> least_round_trip_;

  // the client
  std::int64_t received_ = 0;  // bytes in order
  Queue<Bytes> out_of_order_;  // sorted by begin; they may overlap
};

}  // namespace tributary
