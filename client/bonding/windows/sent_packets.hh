#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "bonding/wire/message.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// How far the delivery of a path had come when a packet was sent (delivery_rate.hh).
struct DeliveryMark {
  DataSize delivered;
  TimePoint delivered_at{}, first_sent_at{};
  bool idle_path = false;
};

/// A packet that is on its way over a path.
struct SentPacket {
  PathSequence sequence{};
  DataSize size;
  TimePoint sent_at{};
  DeliveryMark mark{};
  std::optional<GlobalSequence> inner{};  // that it carries
};

struct InFlight {
  std::size_t packets = 0;
  DataSize size;
};

/// Knows the packets of a path of which the sender has not heard. A packet is lost when three newer ones have arrived
/// (NUMDUPACK of RFC 4341 section 5), as the gap in the numbers tells (thesis section 5.1.1).
class SentPackets {
 public:
  /// Numbers must rise.
  void sent(const SentPacket& packet);
  /// Nobody has to hear of it, but feedback may tell of it.
  void sent_unasked(PathSequence sequence);

  struct News {
    std::vector<SentPacket> arrived, lost;  // in the order of their numbers
    std::optional<Duration> round_trip;     // of the newest, if that was news
  };
  /// Feedback of numbers that were never sent changes nothing.
  News take_in(const Feedback& feedback, TimePoint now);
  /// Gives all of them up.
  std::vector<SentPacket> abandon();

  const InFlight& in_flight() const { return in_flight_; }
  const std::deque<SentPacket>& packets() const { return packets_; }
  /// When the oldest was sent; nothing if none is on its way.
  std::optional<TimePoint> oldest_sent_at() const;

 private:
  std::deque<SentPacket> packets_;  // in the order of their numbers
  InFlight in_flight_;
  std::optional<PathSequence> newest_;          // that was sent
  std::optional<PathSequence> newest_arrived_;  // that feedback told of
};

}  // namespace tributary::bonding
