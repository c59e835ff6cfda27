#include "simulation/bottleneck.hh"

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

// After this time both ends have forgotten a packet that has not left.
constexpr Duration kLongestWait = std::chrono::hours{1};

/// `at` is the time at which the frame begins to leave; moves it to the time at which the whole frame has left. False
/// if the frame never leaves.
bool leave(ScenarioCursor& exit, DataSize frame, TimePoint& at) {
  double bits = 8 * static_cast<double>(frame.bytes());
  const TimePoint give_up_at = at + kLongestWait;
  while (at < give_up_at) {
    const double rate = exit.at(at).rate.bits_per_second();
    const TimePoint change = exit.holds_until(at);
    const bool for_ever = change == TimePoint::max();
    const double seconds = rate > 0 ? bits / rate : INFINITY;
    if (for_ever && rate <= 0) return false;
    if (for_ever || seconds <= to_seconds(change - at)) {
      at += from_seconds(seconds);
      return true;
    }
    bits -= rate * to_seconds(change - at);
    at = change;
  }
  return false;
}

}  // namespace

std::optional<TimePoint> Bottleneck::send(DataSize frame, TimePoint now) {
  const LinkCondition& condition = entrance_.at(now);
  while (!departures_.empty() && departures_.front() <= now) departures_.pop_front();
  const bool lost = condition.loss > 0 && random_.uniform() < condition.loss;
  // One more than the queue holds: the packet that is being sent has left the queue.
  const bool full = departures_.size() > static_cast<std::size_t>(condition.queue_packets);
  if (lost || full || !condition.up) return std::nullopt;

  TimePoint leaves = departures_.empty() ? now : departures_.back();
  if (!leave(exit_, frame, leaves)) return std::nullopt;
  departures_.push_back(leaves);
  const LinkCondition& then = exit_.at(leaves);
  if (!then.up) return std::nullopt;
  const double chance = random_.uniform();  // drawn without jitter, too, so that jitter does not change other draws
  const Duration jitter = then.jitter > Duration{} ? from_seconds(chance * to_seconds(then.jitter)) : Duration{};
  last_arrival_ = std::max(last_arrival_, leaves + then.rtt / 2 + jitter);
  return last_arrival_;
}

}  // namespace tributary
