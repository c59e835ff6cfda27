#pragma once

#include <gst/gst.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gst/player/player_state.hh"
#include "gst/source/media_feed.hh"
#include "playback/stream.hh"
#include "units/text/sentence.hh"

namespace tributary {

/// A reason why playback ended, or something that is missing in it.
struct PlayerProblem {
  bool fatal = true;  // playback ended; if false, it goes on with something missing
  Sentence what;      // one
  Sentence advice;    // to the user: the package to install, the option to change; may be empty
  std::string detail;
};

/// The player calls its listener in the thread of the GLib main context that the player was made in. The listener may
/// call the player, but not delete it.
class PlayerListener {
 public:
  virtual ~PlayerListener() = default;
  virtual void state_changed(PlayerState state) = 0;
  virtual void opened(const StreamInfo& info) = 0;
  /// The title has another text: `info` is what opened() told, with it.
  virtual void text_added(const StreamInfo& info) = 0;
  /// A getter has a new value: audio track, subtitle track, quality, speed, volume.
  virtual void changed() = 0;
  virtual void seeked(Duration position) = 0;
  virtual void skipped(const SkippedSegment& skipped) = 0;
  /// The text to show with the picture from now on, as Pango markup; empty: none.
  virtual void subtitle(const std::string& markup) = 0;
  virtual void problem(const PlayerProblem& problem) = 0;
};

/// Plays one presentation over all links: streams it, decodes it, plays the sound, and hands out the pictures. All
/// calls must come from the thread of the main context. No call waits for the network.
class Player {
 public:
  enum class SeekTo { kExact, kSegment };
  /// The player calls it in a streaming thread, when it is time to show the picture. Must return at once. A picture
  /// that was scaled (fit_pictures) has the unscaled one in its info: a sample in the field "whole".
  using ShowFrame = std::function<void(GstSample* frame)>;
  struct Options {
    Stream::Options stream;
    std::string audio_sink = "autoaudiosink";  // a GStreamer element, or several in the syntax of gst-launch
    std::string frame_format = "BGRA";         // of the pictures
    int decoder_threads = 0;                   // of the picture; 0: by its size and the machine
    /// A picture that is later than this is left out; nothing: each is shown, however late. With less, one late picture
    /// on a loaded machine makes the decoder leave out dozens.
    std::optional<Duration> latest = std::chrono::milliseconds{40};
    OpenFeed open = open_stream;  // opens the feed that delivers the segments
  };

  Player(Options options, PlayerListener& listener, ShowFrame show);
  ~Player();  // returns within a second

  void open(const std::string& url, Duration start = {});
  void close();

  void play();
  void pause();
  void seek(Duration position, SeekTo how = SeekTo::kExact);
  /// Pauses, and shows the picture that is `frames` frames later; earlier if negative.
  void step(int frames);
  void set_speed(double speed);    // 0.5 to 2
  void set_volume(double volume);  // 0 to 1, as heard (cubic)
  void set_muted(bool muted);
  void set_loop(bool loop);
  /// Lets hardware decode the pictures where it can, from the next title on.
  void use_hardware(bool use);
  /// Subtitles, or the sound, come this much later than their times say; earlier if negative. At most a minute.
  void set_text_delay(Duration delay);
  void set_sound_delay(Duration delay);
  void choose_quality(std::optional<QualityIndex> quality);
  void limit_quality(int most_lines);  // where it is automatic; 0: no limit
  void choose_sound(std::size_t track);
  void choose_text(std::optional<std::size_t> track);
  /// Reads subtitles from a file of this computer (WebVTT, SubRip, TTML), and shows them with the open title. Throws
  /// std::runtime_error if they cannot be read. Without a title, does nothing.
  void add_text_file(const std::string& path);
  void use_link(const std::string& name, LinkUse use);
  /// Scales pictures to fit into the box, in pixels; other threads than the caller's do the work. Zero: as they are.
  void fit_pictures(int width, int height);

  PlayerState state() const;
  bool wants_to_play() const;  // also while it buffers
  Duration position() const;
  Duration duration() const;  // live: up to the edge
  double speed() const;
  double volume() const;
  bool muted() const;
  bool loop() const;
  Duration text_delay() const, sound_delay() const;
  std::optional<QualityIndex> chosen_quality() const;  // nothing: automatic
  std::optional<QualityIndex> shown_quality() const;
  std::optional<std::size_t> sound() const, text() const;
  std::uint64_t frames_shown() const, frames_dropped() const;
  StreamStatus status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary
