#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "playback/stream.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {

/// What a feed has told a source element. The feed tells it in a thread of its own: each message goes to the listener
/// outside first, and is then noted. Any thread may ask.
class FeedNews final : public StreamListener {
 public:
  /// `noted` is called in the feed's thread after each message.
  explicit FeedNews(std::function<void()> noted) : noted_{std::move(noted)} {}

  /// Forgets everything, before another feed is opened. `listener` (may be null) gets the messages, too.
  void restart(StreamListener* listener);

  /// Null: the feed has not been opened yet.
  std::shared_ptr<const StreamInfo> info() const;
  /// The end of the last known segment; nothing: the feed has not been opened yet.
  std::optional<Duration> available() const;
  /// The beginning of the segment that contains the position; if no known segment does, the position itself.
  Duration segment_start(Duration position) const;

  /// What there is at one moment. A segment that came before an end, or before a failure, is never missing beside it.
  struct Now {
    bool opened = false, segment = false, failed = false;
    bool playable = false, ended = false;  // of the generation
  };
  Now now(std::uint32_t generation) const;
  /// Those that nobody took.
  std::deque<MediaSegment> segments() const;
  /// The first one of them. To be called by one thread, which has seen that there is one.
  MediaSegment take_segment();
  void drop_segments();
  /// For a pause: the feed has to say again that playout may go on.
  void withdraw_permission();
  /// To be called after a failure.
  StreamFailure take_failure();

 private:
  void opened(const StreamInfo& info) override;
  void segment(MediaSegment segment) override;
  void skipped(const SkippedSegment& skipped) override;
  void may_play(std::uint32_t generation) override;
  void steered(double speed) override;
  void ended(std::uint32_t generation) override;
  void failed(const StreamFailure& failure) override;
  template <typename Note>
  void note(Note note);

  std::function<void()> noted_;
  StreamListener* listener_ = nullptr;  // set before the feed's thread begins
  mutable std::mutex mutex_;            // of all that follows
  std::shared_ptr<const StreamInfo> info_;
  std::optional<SegmentTable> table_;
  std::deque<MediaSegment> segments_;
  std::optional<std::uint32_t> playable_, ended_;  // generations
  double speed_ = 1;
  std::optional<StreamFailure> failure_;
};

}  // namespace tributary
