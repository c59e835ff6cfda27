#include "bonding/windows/received_packets.hh"

#include <algorithm>
#include <cassert>

namespace tributary::bonding {
namespace {

constexpr int kAckRatio = 2;                                       // RFC 4341 section 6.1: the default
constexpr Duration kLongestDelay = std::chrono::milliseconds{25};  // RFC 9000 section 18.2 has the same

}  // namespace

void ReceivedPackets::arrived(PathSequence sequence, SentTime sent_at, TimePoint now, Asks asks, DataSize size) {
  const bool in_order = ranges_.empty() || sequence == next(ranges_.front().last);
  if (ranges_.empty() || sequence > ranges_.front().last) {
    newest_sent_at_ = sent_at;
    newest_at_ = now;
  }
  take_in(sequence);
  if (asks == Asks::kNothing) return;
  ++untold_;
  untold_bytes_ += size;
  const bool at_once = !in_order || (untold_ >= kAckRatio && untold_bytes_ >= kLarge);
  due_ = at_once ? now : std::min(due_.value_or(now + kLongestDelay), now + kLongestDelay);
}

Feedback ReceivedPackets::feedback(TimePoint now) {
  assert(!ranges_.empty());
  due_.reset();
  untold_ = 0;
  untold_bytes_ = {};
  return {path_, newest_sent_at_, now - newest_at_, ranges_};
}

void ReceivedPackets::take_in(PathSequence sequence) {
  // The first range that does not lie wholly above the number.
  auto below = std::ranges::find_if(ranges_, [&](const SequenceRange& range) { return range.first <= sequence; });
  if (below != ranges_.end() && sequence <= below->last) return;
  const bool touches_below = below != ranges_.end() && next(below->last) == sequence;
  const bool touches_above = below != ranges_.begin() && next(sequence) == std::prev(below)->first;
  if (touches_above && touches_below) {
    std::prev(below)->first = below->first;
    ranges_.erase(below);
  } else if (touches_above) {
    std::prev(below)->first = sequence;
  } else if (touches_below) {
    below->last = sequence;
  } else {
    ranges_.insert(below, {sequence, sequence});
    if (ranges_.size() > Feedback::kMostRanges) ranges_.pop_back();
  }
}

}  // namespace tributary::bonding
