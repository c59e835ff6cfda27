#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "bonding/windows/sent_packets.hh"
#include "units/data_rate.hh"

namespace tributary::bonding {

/// The rate at which a path delivers, from feedback alone: the largest of the samples of the last ten round trips. A sample
/// is the bytes that were delivered between the sending of a packet and its feedback, over the longer of the times in
/// which they were sent and acknowledged (draft-ietf-ccwg-bbr, section 4.1). If a path could have
/// carried more than it was given, its samples count only if they are larger.
class DeliveryRate {
 public:
  /// For a packet that is sent now.
  DeliveryMark mark(const InFlight& before, TimePoint now);
  /// More could be on its way than what is: what is sent until that has arrived says little of the path.
  void left_idle(const InFlight& in_flight) { idle_until_ = delivered_ + in_flight.size; }
  /// Packets arrived, as one feedback tells. True: a round trip has passed since the last time that it was true.
  bool arrived(std::span<const SentPacket> packets, TimePoint now);

  /// Nothing before the first sample.
  std::optional<DataRate> rate() const;

 private:
  struct Sample {
    std::uint64_t round = 0;
    DataRate rate;
  };
  void take_in(DataRate rate, bool idle_path);

  DataSize delivered_;
  TimePoint delivered_at_{}, first_sent_at_{};
  std::uint64_t round_ = 0;
  std::optional<DataSize> idle_until_;  // as many bytes are delivered
  DataSize round_ends_at_;              // when a packet arrives that was sent after this was delivered
  std::deque<Sample> samples_;          // falling rates of rising rounds: the first is the largest
};

}  // namespace tributary::bonding
