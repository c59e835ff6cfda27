#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gst/decoder_preload.hh"
#include "gst/main_context.hh"
#include "gst/player.hh"
#include "gst/player_pipeline.hh"
#include "gst/subtitles.hh"

namespace tributary {

/// When to play, to pause, and to say what. One thread, that of the main context.
struct Player::Impl {
  Impl(Options player_options, PlayerListener& player_listener, ShowFrame show_frame);
  ~Impl();

  void open(const std::string& url, Duration start);
  void close();
  void seek(Duration position, SeekTo how);
  void step(int frames);
  void set_speed(double new_speed);
  void set_volume(double new_volume);
  void set_muted(bool mute);
  void choose_quality(std::optional<QualityIndex> quality);
  void choose_sound(std::size_t track);
  void choose_text(std::optional<std::size_t> track);
  void want_to_play(bool play);
  void fit_pictures(PictureSize box);

  Duration position() const;
  Duration duration() const;

  // What the stream and the pipeline say.
  void opened(const StreamInfo& stream_info);
  void handle(GstMessage* message);
  void handle_error(GstMessage* message);
  void handle_warning(GstMessage* message);
  void handle_sound_failure(const std::string& detail);
  void prerolled();
  void reached_end();
  void count_dropped(GstMessage* message);
  void look();  // now and then, for what nothing says

  void seek_now(Duration target);
  void fail(PlayerProblem problem);
  void update();
  PlayerState next_state() const;
  const Track* picture_track() const;

  using Clock = std::chrono::steady_clock;

  const Options options;
  PlayerListener& listener;
  const ShowFrame show;
  MainContext context;
  std::optional<DecoderPreload> preload;

  /// What the stream says, taken to the main context.
  struct StreamEvents;
  std::unique_ptr<StreamEvents> events;
  std::unique_ptr<PlayerPipeline> pipeline;  // of what is open
  std::unique_ptr<SubtitleLoader> subtitles;
  std::optional<RepeatedCall> looking;

  std::string url;
  std::optional<StreamInfo> info;
  PlayerState state = PlayerState::kClosed;
  bool wants_to_play = false, playing = false, buffering = true, built = false, first_frame = false, ended = false,
       failed = false;
  bool recovering_sound = false;  // errors that follow from the first one are on their way
  std::optional<Duration> seeking_to, seek_next;
  Clock::time_point seek_began;
  std::optional<guint32> not_flushed;  // the last seek; what the pipeline says now was so before it
  Duration last_position{};

  double speed = 1, volume = 1;
  bool muted = false, loop = false;
  std::optional<QualityIndex> chosen_quality, quality_seen;
  std::optional<std::size_t> sound, text;
  PictureSize picture_box;
  Cues cues;  // of that text
  std::string shown_text;
  std::uint64_t dropped = 0;
  std::map<const void*, std::uint64_t> dropped_by;  // elements, as they said last
};

}  // namespace tributary
