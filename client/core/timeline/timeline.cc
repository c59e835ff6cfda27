#include "core/timeline/timeline.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {
namespace {

constexpr Duration kForgotten = std::chrono::milliseconds{1};  // of the live edge, with each segment

}  // namespace

void Timeline::add(SegmentIndex segment, const std::vector<TrackSegment>& tracks) {
  if (to_index(segment) == table_.segment_count()) table_.append(tracks);
}

void Timeline::publish(SegmentIndex segment, TimePoint now, ActionQueue& actions, Duration age) {
  while (published_at_.size() <= to_index(segment)) published_at_.push_back(now - age);
  // The earliest counts: others were held up on their way. Clocks drift apart, so an old one counts less and less.
  if (to_index(segment) < table_.segment_count()) {
    const TimePoint zero = published_at_.back() - end_of(segment);
    zero_ = zero_ ? std::min(*zero_ + kForgotten, zero) : zero;
  }
  skip_what_left_window(now, actions);
}

void Timeline::give_up(SegmentIndex segment, TimePoint now, ActionQueue& actions) {
  given_up_ = segment;
  skip_what_continues_nothing(now, actions);
}

void Timeline::move_window(SegmentIndex first, TimePoint now, ActionQueue& actions) {
  window_begin_ = std::max(window_begin_, first);
  skip_what_left_window(now, actions);
}

void Timeline::skip_what_left_window(TimePoint now, ActionQueue& actions) {
  while (next_segment_ < window_begin_ && to_index(next_segment_) < published_at_.size()) {
    skip_next(now - published_at_[to_index(next_segment_)], "it left the origin's window before it was requested",
              actions);
  }
  skip_what_continues_nothing(now, actions);
}

void Timeline::skip_what_continues_nothing(TimePoint now, ActionQueue& actions) {
  while (next_exists() && given_up_ && next(*given_up_) == next_segment_ && table_.continues(next_segment_))
    skip_next(age(next_segment_, now).value_or(Duration{}), "it continues a segment that is not there", actions);
}

std::size_t Timeline::existing() const {
  const std::size_t existing = live_ ? std::min(published_at_.size(), known()) : known();
  return std::min(existing, to_index(left_to_others_)) - to_index(next_segment_);
}

SegmentIndex Timeline::nearest_to(SegmentIndex segment) const {
  const auto last = static_cast<SegmentIndex>(table_.segment_count() - 1);
  return std::clamp(segment, std::min(window_begin_, last), last);
}

std::optional<Duration> Timeline::age(SegmentIndex segment, TimePoint now) const {
  if (!live_ || to_index(segment) >= published_at_.size()) return std::nullopt;
  return now - published_at_[to_index(segment)];
}

std::optional<Duration> Timeline::live_edge(TimePoint now) const {
  return zero_ ? std::optional{now - *zero_} : std::nullopt;
}

Duration Timeline::next_publication(TimePoint now) const {
  if (!live_ || published_at_.empty() || to_index(next_segment_) + 1 < published_at_.size()) return {};
  return std::max(published_at_.back() + table_.duration(next_segment_) - now, Duration::zero());
}

void Timeline::skip_to_live_edge(TimePoint plays_at, Duration accepted_lag, ActionQueue& actions) {
  const auto newest = static_cast<SegmentIndex>(published_at_.size() - 1);
  const SegmentIndex point = table_.switch_point(newest);
  while (next_segment_ < point) {
    const Duration lag = plays_at - published_at_[to_index(next_segment_)] - accepted_lag;
    if (lag <= table_.duration(next_segment_)) return;
    skip_next(lag, fmt::format("{:.3f} s behind, segment {} is out", to_seconds(lag), to_index(newest)), actions);
  }
}

void Timeline::skip_to(SegmentIndex segment, TimePoint now, const std::string& reason, ActionQueue& actions) {
  while (next_segment_ < segment && next_exists())
    skip_next(age(next_segment_, now).value_or(Duration{}), reason, actions);
}

void Timeline::skip_next(Duration lag, std::string reason, ActionQueue& actions) {
  actions.push(action::SkipSegment{next_segment_, lag, std::move(reason)});
  given_up_ = next_segment_;
  start_next();
}

}  // namespace tributary
