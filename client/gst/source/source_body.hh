#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "gst/source/feed_news.hh"
#include "gst/source/media_feed.hh"
#include "gst/source/seek_gate.hh"
#include "gst/source/source_playout.hh"
#include "gst/source/stepping_thread.hh"

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
/// The gate of seeks is closed before the lock is taken. The outputs change with both; either is enough to read them.
/// Messages are posted without the lock.
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

  bool upstream_event(GstPad* pad, GstEvent* event) override;
  bool query(GstPad* pad, GstQuery* query) override;
  bool any_linked() override;

  std::optional<SteppingThread::Clock::time_point> step();
  bool seek_to(std::optional<Duration> wanted, GstSeekFlags flags, double speed, guint32 seqnum);
  std::shared_ptr<MediaFeed> feed() const;

  GstElement* element_;
  SourceSettings settings_;
  SeekGate seeks_;
  SteppingThread thread_;
  FeedNews news_{[this] { thread_.wake(); }};

  mutable std::mutex mutex_;  // of all that follows
  std::shared_ptr<MediaFeed> feed_;
  SourcePlayout playout_{element_, news_};
  std::optional<std::size_t> next_sound_;
};

}  // namespace tributary
