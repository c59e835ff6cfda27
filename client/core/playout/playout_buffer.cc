#include "core/playout/playout_buffer.hh"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary {

void PlayoutBuffer::add(SegmentIndex segment, Duration duration, TimePoint now, DataSize size) {
  queue_.push_back({segment, duration, now, size});
}

DataSize PlayoutBuffer::buffered_bytes() const {
  DataSize total;
  for (const Buffered& segment : queue_) total += segment.size;
  return total;
}

void PlayoutBuffer::clear() {
  PlayoutBuffer empty{source_};
  empty.speed_ = speed_;
  *this = empty;
}

Played PlayoutBuffer::start(TimePoint now) {
  assert(!started() && !queue_.empty());
  return play_front(now, std::nullopt);
}

std::vector<Played> PlayoutBuffer::advance(TimePoint now) {
  std::vector<Played> result;
  while (playing_until_ && !queue_.empty() && *playing_until_ <= now) {
    // A reporting player was not late unless it says so.
    const bool assumed = source_ == PlayoutSource::kAssumed;
    const TimePoint at = assumed ? std::max(*playing_until_, queue_.front().complete) : *playing_until_;
    result.push_back(after_stall(play_front(at, playing_until_)));
  }
  return result;
}

void PlayoutBuffer::set_speed(double speed, TimePoint now) {
  if (playing_until_ && *playing_until_ > now)
    playing_until_ = now + from_seconds(to_seconds(*playing_until_ - now) * speed_ / speed);
  speed_ = speed;
}

std::vector<Played> PlayoutBuffer::play_out() { return advance(TimePoint::max()); }

std::vector<Played> PlayoutBuffer::report(const Report& report, TimePoint now) {
  if (stalled_since_ && report.state != PlayoutState::kStalled) {
    late_ = Played{{}, now, stalled_since_};
    stalled_since_.reset();
  }
  std::vector<Played> result;
  while (!queue_.empty() && queue_.front().segment <= report.segment) {
    result.push_back(after_stall({queue_.front().segment, now, std::nullopt}));
    queue_.pop_front();
  }
  playing_ = std::max(playing_.value_or(report.segment), report.segment);
  playing_until_.reset();
  left_ = report.left;
  switch (report.state) {
    case PlayoutState::kPlaying:
      speed_ = report.speed;
      playing_until_ = now + from_seconds(to_seconds(report.left) / speed_);
      left_.reset();
      break;
    case PlayoutState::kPaused:
      break;
    case PlayoutState::kStalled:
      if (!stalled_since_) stalled_since_ = now;
      break;
  }
  return result;
}

bool PlayoutBuffer::stalled(TimePoint now) const {
  if (!queue_.empty()) return false;
  return source_ == PlayoutSource::kAssumed ? started() && *playing_until_ <= now : stalled_since_.has_value();
}

Duration PlayoutBuffer::buffered() const {
  Duration total{};
  for (const Buffered& segment : queue_) total += segment.duration;
  return total;
}

Duration PlayoutBuffer::time_left_playout(TimePoint now) const {
  if (left_) return *left_;
  if (!playing_until_) return Duration::zero();
  const Duration time = std::max(*playing_until_ - now, Duration::zero());
  return speed_ == 1 ? time : from_seconds(to_seconds(time) * speed_);
}

Played PlayoutBuffer::play_front(TimePoint at, std::optional<TimePoint> due) {
  const Buffered front = queue_.front();
  queue_.pop_front();
  playing_ = front.segment;
  playing_until_ = at + (speed_ == 1 ? front.duration : from_seconds(to_seconds(front.duration) / speed_));
  return {front.segment, at, due};
}

/// The segment that begins after a stall was late by the length of the stall.
Played PlayoutBuffer::after_stall(Played played) {
  if (const auto late = std::exchange(late_, std::nullopt)) {
    played.at = late->at;
    played.due = late->due;
  }
  return played;
}

}  // namespace tributary
