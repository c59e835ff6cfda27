#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gst/source/feed_news.hh"
#include "gst/source/media_feed.hh"
#include "gst/source/playhead.hh"
#include "gst/source/segment_delivery.hh"
#include "gst/source/title_streams.hh"

namespace tributary {

/// Settings of a source element, made before it starts.
struct SourceSettings {
  std::string url;  // of the index
  Stream::Options stream;
  Duration start{};
  double speed = 1;
  /// Playout pauses when less than this is left to play. It must cover the frames that a decoder holds back until more
  /// data come; otherwise those frames come too late to be shown.
  Duration low = std::chrono::milliseconds{500};
  OpenFeed open = open_stream;
  /// Gets the feed's messages before the element does, in the feed's thread. Must outlive start() to stop().
  StreamListener* listener = nullptr;
  /// If true, pads appear only when expose() is called, after the message that tells the collection of streams.
  bool hold_pads = false;
};

/// The working part of the element for multilink URIs. Takes segments from a feed, and gives their samples to the pads.
/// Reads the place of playout from the pipeline's clock, reports it to the feed, and asks for a pause before data run
/// out.
///
/// Threads: the feed's notes news; the body's own delivers, posts and reports; those of the application call the rest.
/// Locks: seeks_ is taken before mutex_. seeks_ lets one seek through at a time, and guards the last one. mutex_ guards
/// all other state but thread_, which start() and stop() own; they do not run at the same time. The outputs of delivery_
/// change with both locks held, and either is enough to read them. Messages are posted without mutex_.
class SourceBody final : private TrackOutputOwner {
 public:
  explicit SourceBody(GstElement* element) : element_{element} {}

  /// May be changed only before start() and after stop().
  SourceSettings& settings() { return settings_; }

  /// Opens the feed, which begins to fetch.
  void start();
  /// Ends all waiting, so that the pads can be deactivated.
  void unblock();
  void stop();
  void playout_began();
  void playout_paused();
  /// Adds the pads, once it is known what the title holds.
  void expose();

  bool seek(GstEvent* event);  // borrowed
  bool answer(GstQuery* query);

  void choose_quality(const QualityWish& wish);
  /// Takes effect with the next seek.
  void choose_sound(std::size_t track);
  void use_link(const std::string& name, LinkUse use);
  void set_low(Duration low);

  /// The beginning of the segment that contains the position; if no known segment does, the position itself.
  Duration segment_start(Duration position) const;
  StreamStatus status() const;
  Duration position() const;
  /// How far times of the media are ahead of the timeline there, where times are measured; nothing: not known yet.
  std::optional<Duration> media_ahead(Duration position) const;
  /// The quality that is played now.
  std::optional<QualityIndex> quality() const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;

  bool upstream_event(GstPad* pad, GstEvent* event) override;
  bool query(GstPad* pad, GstQuery* query) override;
  bool any_linked() override;

  void run();
  /// Does one thing that is due; false: nothing is due.
  bool advance(Lock& lock);
  void wait(Lock& lock);
  /// Finds out what the title holds, and posts it. False: neither manifest nor segments tell yet.
  bool learn_streams(Lock& lock);
  bool is_low() const;
  bool can_play() const;
  void set_buffering(bool buffering);
  void report_playout();

  bool seek_to(std::optional<Duration> wanted, GstSeekFlags flags, double speed, guint32 seqnum);
  std::shared_ptr<MediaFeed> feed() const;

  GstElement* element_;
  SourceSettings settings_;
  std::mutex seeks_;  // one at a time; taken before mutex_
  guint32 last_seek_ = GST_SEQNUM_INVALID;
  bool last_seek_done_ = false;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<MediaFeed> feed_;
  std::thread thread_;
  bool stopping_ = false, seeking_ = false, exposed_ = false, end_delivered_ = false;
  SegmentDelivery delivery_;
  Playhead playhead_{element_, delivery_};
  FeedNews news_{mutex_, changed_};
  std::shared_ptr<const TitleStreams> streams_;  // null: it is not known yet what the title holds
  std::uint32_t generation_ = 0;
  std::optional<std::size_t> next_sound_;
  bool buffering_ = false, posted_buffering_ = false;
  Clock::time_point next_report_;
};

}  // namespace tributary
