#include "bonding/windows/delivery_rate.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr std::uint64_t kRoundsToRemember = 10;

}  // namespace

DeliveryMark DeliveryRate::mark(const InFlight& before, TimePoint now) {
  if (before.packets == 0) first_sent_at_ = delivered_at_ = now;
  return {delivered_, delivered_at_, first_sent_at_, idle_until_ && delivered_ <= *idle_until_};
}

bool DeliveryRate::arrived(std::span<const SentPacket> packets, TimePoint now) {
  if (packets.empty()) return false;
  for (const SentPacket& packet : packets) delivered_ += packet.size;
  delivered_at_ = now;
  const SentPacket& newest = packets.back();
  first_sent_at_ = newest.sent_at;

  const bool round_is_over = newest.mark.delivered >= round_ends_at_;
  if (round_is_over) {
    ++round_;
    round_ends_at_ = delivered_;
  }
  const Duration took = std::max(newest.sent_at - newest.mark.first_sent_at, now - newest.mark.delivered_at);
  if (took > Duration::zero()) take_in((delivered_ - newest.mark.delivered) / took, newest.mark.idle_path);
  return round_is_over;
}

void DeliveryRate::take_in(DataRate rate, bool idle_path) {
  if (idle_path && !samples_.empty() && rate < samples_.front().rate) return;
  while (!samples_.empty() && samples_.back().rate <= rate) samples_.pop_back();
  samples_.push_back({round_, rate});
  while (samples_.size() > 1 && samples_.front().round + kRoundsToRemember < round_) samples_.pop_front();
}

std::optional<DataRate> DeliveryRate::rate() const {
  return samples_.empty() ? std::nullopt : std::optional{samples_.front().rate};
}

}  // namespace tributary::bonding
