#include "core/playout/playout.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/playout/latency_control.hh"

namespace tributary {
namespace {

/// A player may still have a speed that was steered some time ago. No user chooses one so near to 1.
bool may_be_steered(double speed) {
  constexpr double kTolerance = 1e-9;
  return speed >= 1 - LatencyControl::kMostSlower - kTolerance && speed <= 1 + LatencyControl::kMostFaster + kTolerance;
}

}  // namespace

void Playout::advance(TimePoint now, ActionQueue& actions) {
  for (const Played& played : buffer_.advance(now)) play(played, actions);
}

void Playout::add(SegmentIndex segment, Duration duration, TimePoint now, ActionQueue& actions, DataSize size) {
  buffer_.add(segment, duration, now, size);
  advance(now, actions);
}

void Playout::start_if_ready(std::size_t segments_to_start, bool nothing_more_comes, TimePoint now,
                             ActionQueue& actions) {
  const std::size_t buffered = buffer_.buffered_segments();
  if (buffered == 0) return;
  const bool enough = buffered >= segments_to_start || nothing_more_comes;
  if (!reported()) {
    if (!buffer_.started() && enough) play(buffer_.start(now), actions);
  } else if (waiting_ == Waiting::kForEndOfStall) {
    allow("what playout stood still for is here", actions);
  } else if (waiting_ == Waiting::kForStart && enough) {
    allow(fmt::format("{} of {} segments to begin with are here", buffered, segments_to_start), actions);
  }
}

void Playout::play_out(ActionQueue& actions) {
  for (const Played& played : buffer_.play_out()) play(played, actions);
}

void Playout::seek(SegmentIndex segment, std::uint32_t cached, const SegmentTable& table, TimePoint now) {
  buffer_.clear();
  for (; cached > 0 && to_index(segment) < table.segment_count(); --cached, segment = next(segment))
    buffer_.add(segment, table.duration(segment), now);
  waiting_ = Waiting::kForStart;
  has_reported_playing_ = stall_told_ = false;
}

void Playout::steer(double speed, std::string reason, TimePoint now, ActionQueue& actions) {
  is_steered_ = true;
  if (!reported()) buffer_.set_speed(speed, now);
  actions.push(action::SetSpeed{speed, std::move(reason)});
}

bool Playout::report(const event::PlayoutReported& e, const Timeline& timeline, TimePoint now, ActionQueue& actions) {
  if (!reported() || to_index(e.segment) >= timeline.table().segment_count()) return false;
  account_lag(e, now);
  if (e.state != PlayoutState::kPlaying && waiting_ == Waiting::kForStart) return false;  // it has not begun
  PlayoutBuffer::Report report{e.state, e.segment, e.left, e.speed};
  const auto thought = buffer_.playing();
  const bool behind = thought && *thought > e.segment;  // the computed place
  if (behind) {
    report.segment = *thought;
    report.left += timeline.end_of(*thought) - timeline.end_of(e.segment);
  }
  if (e.state == PlayoutState::kStalled && (!has_reported_playing_ || behind || buffer_.buffered_segments() > 0)) {
    // The missing segment came while the player reported.
    allow("what playout stands still for is here already", actions);
    return false;
  }
  for (const Played& played : buffer_.report(report, now)) play(played, actions);
  if (e.state == PlayoutState::kPlaying) {
    has_reported_playing_ = true;
    stall_told_ = false;
  }
  if (e.state != PlayoutState::kStalled) return false;
  waiting_ = Waiting::kForEndOfStall;
  return true;
}

/// Live: a pause is the user's wish, as is another speed.
void Playout::account_lag(const event::PlayoutReported& e, TimePoint now) {
  if (pace_) {
    const double slower = (1 - pace_->speed) * to_seconds(now - pace_->since);
    accepted_lag_ = std::max(accepted_lag_ + from_seconds(slower), Duration::zero());
  }
  const double playing = is_steered_ && may_be_steered(e.speed) ? 1 : e.speed;
  const double speed = e.state == PlayoutState::kPlaying ? playing : e.state == PlayoutState::kPaused ? 0 : 1;
  pace_ = Pace{now, speed};
}

void Playout::look_for_wish_to_start(bool something_comes, TimePoint now) {
  if (buffer_.started() || !something_comes) {
    start_wanted_.reset();
  } else if (!start_wanted_) {
    start_wanted_ = now;
  }
}

void Playout::tell_stall(std::string reason, ActionQueue& actions) {
  stall_told_ = true;
  actions.push(action::Stall{std::move(reason)});
}

void Playout::play(const Played& played, ActionQueue& actions) {
  stall_told_ = false;
  ++segments_played_;
  actions.push(action::PlaySegment{played.segment, played.at, played.due, played.miss()});
}

void Playout::allow(std::string reason, ActionQueue& actions) {
  waiting_ = Waiting::kForNothing;
  actions.push(action::AllowPlayout{std::move(reason)});
}

}  // namespace tributary
