#include "gst/source/feed_news.hh"

#include <utility>

namespace tributary {

using Lock = std::lock_guard<std::mutex>;

void FeedNews::restart(StreamListener* listener) {
  const Lock lock{mutex_};
  listener_ = listener;
  info_.reset();
  table_.reset();
  segments_.clear();
  playable_.reset();
  ended_.reset();
  speed_ = 1;
  failure_.reset();
}

std::shared_ptr<const StreamInfo> FeedNews::info() const {
  const Lock lock{mutex_};
  return info_;
}

std::optional<Duration> FeedNews::available() const {
  const Lock lock{mutex_};
  if (!table_) return std::nullopt;
  const auto last = static_cast<SegmentIndex>(table_->segment_count() - 1);
  return table_->starts_at(last) + table_->duration(last);
}

Duration FeedNews::segment_start(Duration position) const {
  const Lock lock{mutex_};
  for (std::size_t i = table_ ? table_->segment_count() : 0; i > 0; --i) {
    const auto segment = static_cast<SegmentIndex>(i - 1);
    if (table_->starts_at(segment) > position) continue;
    const bool inside = position < table_->starts_at(segment) + table_->duration(segment);
    return inside ? table_->starts_at(segment) : position;
  }
  return position;
}

FeedNews::Now FeedNews::now(std::uint32_t generation) const {
  const Lock lock{mutex_};
  return {.opened = info_ != nullptr,
          .segment = !segments_.empty(),
          .failed = failure_.has_value(),
          .playable = playable_ == generation,
          .ended = ended_ == generation};
}

std::deque<MediaSegment> FeedNews::segments() const {
  const Lock lock{mutex_};
  return segments_;
}

MediaSegment FeedNews::take_segment() {
  const Lock lock{mutex_};
  MediaSegment first = std::move(segments_.front());
  segments_.pop_front();
  return first;
}

void FeedNews::drop_segments() {
  const Lock lock{mutex_};
  segments_.clear();
}

void FeedNews::withdraw_permission() {
  const Lock lock{mutex_};
  playable_.reset();
}

StreamFailure FeedNews::take_failure() {
  const Lock lock{mutex_};
  return *std::exchange(failure_, std::nullopt);
}

template <typename Note>
void FeedNews::note(Note note) {
  {
    const Lock lock{mutex_};
    note();
  }
  noted_();
}

void FeedNews::opened(const StreamInfo& info) {
  if (listener_ != nullptr) listener_->opened(info);
  note([&] {
    info_ = std::make_shared<const StreamInfo>(info);
    table_.emplace(info.presentation);
  });
}

void FeedNews::segment(MediaSegment segment) {
  note([&] {
    segment.speed = speed_;
    segments_.push_back(std::move(segment));
  });
}

void FeedNews::skipped(const SkippedSegment& skipped) {
  if (listener_ != nullptr) listener_->skipped(skipped);
}

void FeedNews::steered(double speed) {
  note([&] { speed_ = speed; });
}

void FeedNews::may_play(std::uint32_t generation) {
  if (listener_ != nullptr) listener_->may_play(generation);
  note([&] { playable_ = generation; });
}

void FeedNews::ended(std::uint32_t generation) {
  if (listener_ != nullptr) listener_->ended(generation);
  note([&] { ended_ = generation; });
}

void FeedNews::failed(const StreamFailure& failure) {
  if (listener_ != nullptr) listener_->failed(failure);
  note([&] { failure_ = failure; });
}

}  // namespace tributary
