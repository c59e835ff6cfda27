#include "bonding/inner/inner_queue.hh"

#include <algorithm>
#include <cmath>

#include "bonding/inner/inner_packet.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kMostWaiting{1'000'000};
constexpr Duration kTarget = 20ms;  // RFC 8289 has 5 ms, in which a path of 2 Mbit/s does not send a packet
constexpr Duration kInterval = 100ms;
constexpr DataSize kOnePacket{1500};

Duration to_next_drop(int drops) { return from_seconds(to_seconds(kInterval) / std::sqrt(static_cast<double>(drops))); }

}  // namespace

bool InnerQueue::push(Bytes packet, TimePoint now) {
  const DataSize size = size_of(packet);
  if (size_ + size > kMostWaiting) {
    ++dropped_;
    return false;
  }
  const Flow flow = flow_of(packet);
  size_ += size;
  waiting_.push_back({std::move(packet), flow, now});
  return true;
}

InnerQueue::Waiting InnerQueue::take() {
  Waiting first = std::move(waiting_.front());
  waiting_.pop_front();
  size_ -= size_of(first.packet);
  return first;
}

/// The first packet has waited for too long, and so have all for the length of an interval.
bool InnerQueue::is_late(TimePoint now) {
  if (waiting_.empty() || size_ <= kOnePacket || now - waiting_.front().since < kTarget + longer_) {
    late_since_.reset();
    return false;
  }
  if (!late_since_) late_since_ = now;
  return now - *late_since_ >= kInterval;
}

const InnerQueue::Waiting* InnerQueue::front(TimePoint now) {
  const bool late = is_late(now);
  if (!late) {
    dropping_ = false;
  } else if (!dropping_) {
    drop_front();
    dropping_ = true;
    const int since_last = drops_ - drops_before_;
    const bool soon_after = since_last > 1 && now - next_drop_ < 16 * kInterval;
    drops_ = soon_after ? since_last : 1;
    drops_before_ = drops_;
    next_drop_ = now + to_next_drop(drops_);
  } else {
    while (dropping_ && now >= next_drop_) {
      drop_front();
      ++drops_;
      dropping_ = is_late(now);
      if (dropping_) next_drop_ += to_next_drop(drops_);
    }
  }
  return waiting_.empty() ? nullptr : &waiting_.front();
}

void InnerQueue::drop_front() {
  take();
  ++dropped_;
}

}  // namespace tributary::bonding
