#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/source/feed_news.hh"
#include "gst/source/media_feed.hh"
#include "gst/source/playhead.hh"
#include "gst/source/segment_delivery.hh"
#include "gst/source/title_streams.hh"

namespace tributary {

/// Decides for a source element what is due: to announce the title's streams, to deliver a segment, to ask for a pause
/// before data run out, to tell the feed where playout is. Not thread-safe.
class SourcePlayout {
 public:
  using Clock = std::chrono::steady_clock;
  /// A message to post once no lock is held; may be empty.
  using Afterwards = std::function<void()>;

  /// `news` must outlive this.
  SourcePlayout(GstElement* element, FeedNews& news) : element_{element}, news_{news} {}

  /// Begins a title.
  void restart(const std::string& url, Duration start, double speed);
  void set_generation(std::uint32_t generation) { generation_ = generation; }
  /// Playout pauses when less than this is left to play.
  void set_low(Duration low) { low_ = low; }
  void close() { delivery_.close(); }

  /// Does one thing that is due. Nothing: nothing is.
  std::optional<Afterwards> advance(MediaFeed& feed);
  /// The latest time for the next advance(), if nothing happens before.
  Clock::time_point next_look() const;

  /// The streams that await their pads; null: they have them, or it is not known yet what the title holds.
  std::shared_ptr<const TitleStreams> hidden_streams() const { return exposed_ ? nullptr : streams_; }
  void expose(std::vector<SegmentDelivery::Output> outputs);
  const std::vector<SegmentDelivery::Output>& outputs() const { return delivery_.outputs(); }

  /// Nothing is delivered until end_seek().
  void begin_seek() { seeking_ = true; }
  void go_to(std::uint32_t generation, Duration position, double speed, guint32 seqnum);
  void end_seek();
  void began();
  void paused();

  Duration position() const { return playhead_.position(); }
  std::optional<Duration> media_ahead(Duration position) const { return delivery_.media_ahead(position); }
  /// The quality that is played now.
  std::optional<QualityIndex> quality() const { return delivery_.quality_at(playhead_.position()); }

 private:
  /// Nothing: neither manifest nor segments tell yet what the title holds.
  std::optional<Afterwards> learn_streams(const FeedNews::Now& news);
  Afterwards announcement(const std::string& fault) const;
  Afterwards deliver(const MediaSegment& segment);
  bool is_low() const;
  bool can_play(const FeedNews::Now& news) const;
  void set_buffering(bool buffering, MediaFeed& feed);
  void report(MediaFeed& feed);

  GstElement* element_;
  FeedNews& news_;
  std::string url_;
  Duration low_{};
  SegmentDelivery delivery_;
  Playhead playhead_{element_, delivery_};
  std::shared_ptr<const TitleStreams> streams_;  // null: it is not known yet what the title holds
  std::uint32_t generation_ = 0;
  bool seeking_ = false, exposed_ = false, end_delivered_ = false;
  bool buffering_ = false, posted_buffering_ = false;
  Clock::time_point next_report_;
};

}  // namespace tributary
