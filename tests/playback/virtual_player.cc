#include "virtual_player.hh"

#include <algorithm>
#include <utility>

namespace tributary::testing {

using namespace std::chrono_literals;

void VirtualPlayer::open(const std::string& url, Stream::Options options) {
  stopping_ = false;
  stream_.emplace(url, std::move(options), *this);
  thread_ = std::thread{[this] { run(); }};
}

void VirtualPlayer::close() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  stream_.reset();
}

VirtualPlayer::~VirtualPlayer() { close(); }

bool VirtualPlayer::wait_for_status(const std::function<bool(const StreamStatus&)>& what,
                                    std::chrono::milliseconds patience) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!what(stream_->status())) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

void VirtualPlayer::pause() {
  const std::lock_guard lock{mutex_};
  wants_to_play_ = false;
  changed_.notify_all();
}
void VirtualPlayer::play() {
  const std::lock_guard lock{mutex_};
  wants_to_play_ = true;
  changed_.notify_all();
}
void VirtualPlayer::set_speed(double speed) {
  const std::lock_guard lock{mutex_};
  move_on();
  speed_ = speed;
  report();
}

std::uint32_t VirtualPlayer::seek(Duration position) {
  const std::lock_guard lock{mutex_};
  generation_ = stream_->seek(position);
  position_ = position;
  allowed_ = false;
  here_.clear();
  return generation_;
}

Duration VirtualPlayer::position() const {
  const std::lock_guard lock{mutex_};
  return position_;
}

void VirtualPlayer::segment(MediaSegment segment) {
  {
    const std::lock_guard lock{mutex_};
    if (segment.generation == generation_) {
      // Where it was wanted, or, of a live stream or behind the end, what there is.
      const bool there = position_ >= segment.start && position_ < segment.start + segment.duration;
      if (here_.empty() && !there) position_ = segment.start;
      here_[segment.start] = segment.start + segment.duration;
      changed_.notify_all();
    }
  }
  RecordingListener::segment(std::move(segment));
}

void VirtualPlayer::may_play(std::uint32_t generation) {
  {
    const std::lock_guard lock{mutex_};
    if (generation == generation_) allowed_ = true;
    changed_.notify_all();
  }
  RecordingListener::may_play(generation);
}

void VirtualPlayer::run() {
  std::unique_lock lock{mutex_};
  auto reported = std::chrono::steady_clock::now();
  while (!stopping_) {
    move_on();
    const bool something_here = position_ < playable_until();
    const State before = state_;
    if (!wants_to_play_ || (!allowed_ && state_ != State::kStalled)) {
      state_ = State::kPaused;
    } else if (!something_here) {
      if (state_ == State::kPlaying) allowed_ = false;
      state_ = State::kStalled;
    } else if (allowed_) {
      state_ = State::kPlaying;
    }
    const auto now = std::chrono::steady_clock::now();
    if (state_ != before || (state_ == State::kPlaying && now - reported > 100ms)) {
      report();
      reported = now;
    }
    changed_.wait_for(lock, 10ms);
  }
}

void VirtualPlayer::move_on() {
  const auto now = std::chrono::steady_clock::now();
  const auto time = std::exchange(moved_, now);
  if (state_ != State::kPlaying) return;
  const Duration passed = now - time;
  position_ = std::max(position_, std::min(position_ + from_seconds(to_seconds(passed) * speed_), playable_until()));
}

void VirtualPlayer::report() { stream_->report({generation_, state_, position_, speed_}); }

/// What follows without a gap, or behind the gap of a skip.
Duration VirtualPlayer::playable_until() const { return here_.empty() ? Duration{} : here_.rbegin()->second; }

}  // namespace tributary::testing
