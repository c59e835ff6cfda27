#include "gst/playout/playout_timeline.hh"

#include <algorithm>

namespace tributary {
namespace {

Duration scaled(Duration time, double factor) { return from_seconds(to_seconds(time) * factor); }

}  // namespace

void PlayoutTimeline::restart(Duration position, double speed) { stretches_ = {{Duration{}, position, speed}}; }

void PlayoutTimeline::skip(Duration from, Duration to, double speed) {
  constexpr std::size_t kKept = 64;  // older ones have left the screen
  const Stretch& last = stretches_.back();
  stretches_.push_back({last.running + scaled(from - last.position, 1 / last.speed), to, speed});
  if (stretches_.size() > kKept) stretches_.pop_front();
}

const PlayoutTimeline::Stretch& PlayoutTimeline::stretch_at(Duration running) const {
  auto stretch = stretches_.rbegin();
  while (std::next(stretch) != stretches_.rend() && stretch->running > running) ++stretch;
  return *stretch;
}

Duration PlayoutTimeline::position(Duration running) const {
  const Stretch& stretch = stretch_at(running);
  return stretch.position + scaled(running - stretch.running, stretch.speed);
}

Duration PlayoutTimeline::running(Duration position) const {
  const Stretch& last = stretches_.back();
  return last.running + scaled(position - last.position, 1 / last.speed);
}

}  // namespace tributary
