#pragma once

#include <optional>

#include "bonding/wire/message.hh"
#include "units/least_delay.hh"

namespace tributary::bonding {

/// Knows what stands in the queue of a path on the way to the peer, whatever stands in that of the way back: by how much a packet
/// took longer than the fastest one of the last seconds. The clocks of both ends need not agree for that.
class WayThere {
 public:
  /// A packet left at `left` by our clock, and came at `came` by the peer's. Returns the queue that it met.
  Duration queue(SentTime left, SentTime came, TimePoint now) {
    const auto apart = static_cast<SentTime>(to_index(came) - to_index(left));
    if (!first_apart_) first_apart_ = apart;
    const Duration taken = apart - *first_apart_;
    least_.sample(taken, now);
    return taken - *least_.value();
  }

 private:
  std::optional<SentTime> first_apart_;  // the difference of the clocks, and what the first packet took
  LeastDelay least_{std::chrono::seconds{10}};
};

}  // namespace tributary::bonding
