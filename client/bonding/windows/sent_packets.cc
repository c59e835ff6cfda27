#include "bonding/windows/sent_packets.hh"

#include <algorithm>
#include <cassert>

namespace tributary::bonding {
namespace {

constexpr std::uint64_t kNewerOnes = 3;

bool tells_of(const Feedback& feedback, PathSequence sequence) {
  return std::ranges::any_of(
      feedback.ranges, [&](const SequenceRange& range) { return range.first <= sequence && sequence <= range.last; });
}

}  // namespace

void SentPackets::sent(const SentPacket& packet) {
  assert(!newest_ || *newest_ < packet.sequence);
  newest_ = packet.sequence;
  packets_.push_back(packet);
  ++in_flight_.packets;
  in_flight_.size += packet.size;
}

void SentPackets::sent_unasked(PathSequence sequence) {
  assert(!newest_ || *newest_ < sequence);
  newest_ = sequence;
}

SentPackets::News SentPackets::take_in(const Feedback& feedback, TimePoint now) {
  News news;
  if (feedback.ranges.empty() || !newest_ || feedback.ranges.front().last > *newest_) return news;
  const PathSequence newest_told = feedback.ranges.front().last;
  if (!newest_arrived_ || *newest_arrived_ < newest_told) {
    newest_arrived_ = newest_told;
    const Duration round_trip = sent_time(now) - feedback.echoed - feedback.held;
    if (round_trip > Duration::zero()) news.round_trip = round_trip;
  }
  std::erase_if(packets_, [&](const SentPacket& packet) {
    const bool arrived = tells_of(feedback, packet.sequence);
    if (!arrived && later(packet.sequence, kNewerOnes) > *newest_arrived_) return false;
    (arrived ? news.arrived : news.lost).push_back(packet);
    --in_flight_.packets;
    in_flight_.size -= packet.size;
    return true;
  });
  return news;
}

std::vector<SentPacket> SentPackets::abandon() {
  std::vector<SentPacket> all{packets_.begin(), packets_.end()};
  packets_.clear();
  in_flight_ = {};
  return all;
}

std::optional<TimePoint> SentPackets::oldest_sent_at() const {
  return packets_.empty() ? std::nullopt : std::optional{packets_.front().sent_at};
}

}  // namespace tributary::bonding
