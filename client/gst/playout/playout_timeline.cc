#include "gst/playout/playout_timeline.hh"

namespace tributary {
namespace {

Duration scaled(Duration time, double factor) { return from_seconds(to_seconds(time) * factor); }

}  // namespace

void PlayoutTimeline::restart(Duration position, double speed) {
  stretches_ = {{Duration{}, position}};
  speed_ = speed;
}

void PlayoutTimeline::skip(Duration from, Duration to) {
  constexpr std::size_t kKept = 64;  // older ones have left the screen
  const Stretch& last = stretches_.back();
  stretches_.push_back({last.running + scaled(from - last.position, 1 / speed_), to});
  if (stretches_.size() > kKept) stretches_.pop_front();
}

Duration PlayoutTimeline::position(Duration running) const {
  auto stretch = stretches_.rbegin();
  while (std::next(stretch) != stretches_.rend() && stretch->running > running) ++stretch;
  return stretch->position + scaled(running - stretch->running, speed_);
}

}  // namespace tributary
