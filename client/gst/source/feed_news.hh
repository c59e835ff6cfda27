#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "playback/stream.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {

/// What a feed has told a source element. The feed tells it in a thread of its own: each message goes to the listener
/// outside first, without the lock, and is then noted under the lock, which wakes the owner. All other functions are to
/// be called with the lock held.
class FeedNews final : public StreamListener {
 public:
  /// `lock` and `noted` are the owner's, and must outlive this.
  FeedNews(std::mutex& lock, std::condition_variable& noted) : lock_{lock}, noted_{noted} {}

  /// Forgets everything, before another feed is opened. `listener` (may be null) gets the messages, too.
  void restart(StreamListener* listener);

  /// Nothing: the feed has not been opened yet.
  const std::optional<StreamInfo>& info() const { return info_; }
  /// The end of the last known segment; nothing: the feed has not been opened yet.
  std::optional<Duration> available() const;
  /// The beginning of the segment that contains the position; if no known segment does, the position itself.
  Duration segment_start(Duration position) const;

  bool has_segment() const { return !segments_.empty(); }
  /// Those that nobody took.
  const std::deque<MediaSegment>& segments() const { return segments_; }
  /// The first one of those that nobody took.
  MediaSegment take_segment();
  void drop_segments() { segments_.clear(); }
  /// Whether the feed said that playout may begin or go on.
  bool is_playable(std::uint32_t generation) const { return playable_ == generation; }
  /// For a pause: the feed has to say it again.
  void withdraw_permission() { playable_.reset(); }
  bool has_ended(std::uint32_t generation) const { return ended_ == generation; }
  bool has_failed() const { return failure_.has_value(); }
  /// To be called after a failure.
  StreamFailure take_failure();

 private:
  void opened(const StreamInfo& info) override;
  void segment(MediaSegment segment) override;
  void skipped(const SkippedSegment& skipped) override;
  void may_play(std::uint32_t generation) override;
  void ended(std::uint32_t generation) override;
  void failed(const StreamFailure& failure) override;

  std::mutex& lock_;
  std::condition_variable& noted_;
  StreamListener* listener_ = nullptr;  // set before the feed's thread begins
  std::optional<StreamInfo> info_;
  std::optional<SegmentTable> table_;
  std::deque<MediaSegment> segments_;
  std::optional<std::uint32_t> playable_, ended_;  // generations
  std::optional<StreamFailure> failure_;
};

}  // namespace tributary
