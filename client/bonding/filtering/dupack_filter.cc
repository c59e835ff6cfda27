#include "bonding/filtering/dupack_filter.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

/// Modulo 2^32.
bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

}  // namespace

DupackFilter::DupackFilter(const std::vector<Duration>& round_trips) {
  for (const Duration round_trip : round_trips) add_path(round_trip);
}

void DupackFilter::add_path(Duration round_trip) {
  paths_.push_back({.round_trip = round_trip});
  find_nearest();
}

void DupackFilter::remove_path(std::size_t path) {
  paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(path));
  if (path < turn_) --turn_;
  if (turn_ == paths_.size()) turn_ = 0;
  find_nearest();
}

void DupackFilter::find_nearest() {
  const auto nearest = std::ranges::min_element(paths_, {}, &Path::round_trip);
  nearest_ = static_cast<std::size_t>(nearest - paths_.begin());
}

std::size_t DupackFilter::next_path() {
  const std::size_t path = turn_;
  turn_ = (turn_ + 1) % paths_.size();
  return path;
}

bool DupackFilter::is_overtaking(const DataSegment& segment, TimePoint arrives) const {
  return std::ranges::any_of(paths_, [&](const Path& other) {
    return other.highest && is_before(*other.highest, segment.sequence) && arrives < other.acknowledged_at;
  });
}

std::size_t DupackFilter::path_of(const DataSegment& segment, TimePoint now) {
  if (!checkpoint_ && highest_sent_ && is_before(segment.sequence, *highest_sent_)) {
    expected_ = 0;
    checkpoint_ = {*highest_end_, std::ranges::max(paths_, {}, &Path::acknowledged_at).acknowledged_at};
  }
  const std::size_t chosen = checkpoint_ ? nearest_ : next_path();
  Path& path = paths_[chosen];
  const TimePoint arrives = now + path.round_trip;
  if (!checkpoint_ && is_overtaking(segment, arrives)) ++expected_;
  if (!path.highest || is_before(*path.highest, segment.sequence)) {
    path.highest = segment.sequence;
    path.acknowledged_at = arrives;
  }
  if (!highest_sent_ || is_before(*highest_sent_, segment.sequence)) {
    highest_sent_ = segment.sequence;
    highest_end_ = segment.sequence + segment.length;
  }
  return chosen;
}

bool DupackFilter::is_duplicate(const Acknowledgment& acknowledgment) const {
  return last_ && highest_end_ && acknowledgment.number == last_->number && acknowledgment.window == last_->window &&
         !acknowledgment.carries_more && is_before(acknowledgment.number, *highest_end_);
}

bool DupackFilter::passes(const Acknowledgment& acknowledgment, TimePoint now) {
  if (!last_ || is_before(last_->number, acknowledgment.number)) {
    last_ = acknowledgment;
    if (checkpoint_ && now >= checkpoint_->time && !is_before(acknowledgment.number, checkpoint_->end))
      checkpoint_.reset();
    return true;
  }
  if (is_duplicate(acknowledgment) && !checkpoint_ && expected_ > 0) {
    --expected_;
    return false;
  }
  if (acknowledgment.number == last_->number) last_->window = acknowledgment.window;
  return true;
}

}  // namespace tributary::bonding
