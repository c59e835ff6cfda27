#include "core/playout_buffer.hh"

#include <algorithm>
#include <cassert>

namespace tributary {

void PlayoutBuffer::add(SegmentIndex segment, Duration duration, TimePoint now) {
  queue_.push_back({segment, duration, now});
}

Played PlayoutBuffer::start(TimePoint now) {
  assert(!started() && !queue_.empty());
  return play_front(now, std::nullopt);
}

std::vector<Played> PlayoutBuffer::advance(TimePoint now) {
  std::vector<Played> result;
  while (started() && !queue_.empty() && *playing_until_ <= now) {
    result.push_back(play_front(std::max(*playing_until_, queue_.front().complete), playing_until_));
  }
  return result;
}

std::vector<Played> PlayoutBuffer::play_out() { return advance(TimePoint::max()); }

Duration PlayoutBuffer::buffered() const {
  Duration total{};
  for (const Buffered& segment : queue_) total += segment.duration;
  return total;
}

Duration PlayoutBuffer::time_left_playout(TimePoint now) const {
  return started() ? std::max(*playing_until_ - now, Duration::zero()) : Duration::zero();
}

Played PlayoutBuffer::play_front(TimePoint at, std::optional<TimePoint> due) {
  const Buffered front = queue_.front();
  queue_.pop_front();
  playing_until_ = at + front.duration;
  return {front.segment, at, due};
}

}  // namespace tributary
