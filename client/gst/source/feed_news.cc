#include "gst/source/feed_news.hh"

#include <utility>

namespace tributary {

void FeedNews::restart(StreamListener* listener) {
  listener_ = listener;
  info_.reset();
  table_.reset();
  segments_.clear();
  playable_.reset();
  ended_.reset();
  failure_.reset();
}

std::optional<Duration> FeedNews::available() const {
  if (!table_) return std::nullopt;
  const auto last = static_cast<SegmentIndex>(table_->segment_count() - 1);
  return table_->starts_at(last) + table_->duration(last);
}

Duration FeedNews::segment_start(Duration position) const {
  for (std::size_t i = table_ ? table_->segment_count() : 0; i > 0; --i) {
    const auto segment = static_cast<SegmentIndex>(i - 1);
    if (table_->starts_at(segment) > position) continue;
    const bool inside = position < table_->starts_at(segment) + table_->duration(segment);
    return inside ? table_->starts_at(segment) : position;
  }
  return position;
}

MediaSegment FeedNews::take_segment() {
  MediaSegment first = std::move(segments_.front());
  segments_.pop_front();
  return first;
}

StreamFailure FeedNews::take_failure() { return *std::exchange(failure_, std::nullopt); }

void FeedNews::opened(const StreamInfo& info) {
  if (listener_ != nullptr) listener_->opened(info);
  const std::lock_guard lock{lock_};
  info_ = info;
  table_.emplace(info.presentation);
  noted_.notify_all();
}

void FeedNews::segment(MediaSegment segment) {
  const std::lock_guard lock{lock_};
  segments_.push_back(std::move(segment));
  noted_.notify_all();
}

void FeedNews::skipped(const SkippedSegment& skipped) {
  if (listener_ != nullptr) listener_->skipped(skipped);
}

void FeedNews::may_play(std::uint32_t generation) {
  if (listener_ != nullptr) listener_->may_play(generation);
  const std::lock_guard lock{lock_};
  playable_ = generation;
  noted_.notify_all();
}

void FeedNews::ended(std::uint32_t generation) {
  if (listener_ != nullptr) listener_->ended(generation);
  const std::lock_guard lock{lock_};
  ended_ = generation;
  noted_.notify_all();
}

void FeedNews::failed(const StreamFailure& failure) {
  if (listener_ != nullptr) listener_->failed(failure);
  const std::lock_guard lock{lock_};
  failure_ = failure;
  noted_.notify_all();
}

}  // namespace tributary
