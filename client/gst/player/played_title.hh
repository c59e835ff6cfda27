#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gst/main_context.hh"
#include "gst/player/player.hh"
#include "gst/player/player_news.hh"
#include "gst/player/player_pipeline.hh"
#include "gst/texts/shown_texts.hh"

namespace tributary {

/// The user's settings. They outlast the titles that are played.
struct PlayerSettings {
  bool wants_to_play = false, muted = false, loop = false;
  double speed = 1, volume = 1;
  Duration text_delay{}, sound_delay{};  // later than their times; negative: earlier
  QualityWish quality;
  Decoders decoders = Decoders::kInSoftware;
  PictureSize picture_box;
};

/// One title from its opening until it is closed. Decides when the pipeline plays and pauses, and when the listener is
/// told. Holds all state of the title. Runs in one thread, that of the main context.
class PlayedTitle {
 public:
  /// All of these must outlive the title.
  struct Surroundings {
    const Player::Options& options;
    const Player::ShowFrame& show;
    const MainContext& context;
    const PlayerSettings& settings;
    PlayerNews& news;
  };

  PlayedTitle(const Surroundings& surroundings, std::string url, Duration start);
  ~PlayedTitle();
  PlayedTitle(const PlayedTitle&) = delete;
  PlayedTitle& operator=(const PlayedTitle&) = delete;

  // To be called after a change of the settings.
  void wish_changed();
  void speed_changed();
  void volume_changed();
  void text_delay_changed();
  void sound_delay_changed();
  void quality_changed() { pipeline_.source().choose_quality(settings_.quality); }
  void picture_box_changed() { pipeline_.fit_pictures(settings_.picture_box); }

  void seek(Duration target, Player::SeekTo how);
  bool can_step() const { return can_seek() && picture_track().frame_rate_num > 0; }
  void step(int frames);
  void choose_sound(std::size_t track);
  void choose_text(std::optional<std::size_t> track);
  /// Adds a text of the user's, and shows it. Nothing before the title has been opened.
  void add_text(const std::string& name, TextFile file);
  void use_link(const std::string& name, LinkUse use) { pipeline_.source().use_link(name, use); }

  PlayerState state() const;
  Duration position() const;
  Duration duration() const;
  std::optional<QualityIndex> shown_quality() const { return pipeline_.source().quality(); }
  std::optional<std::size_t> sound() const { return sound_; }
  std::optional<std::size_t> text() const { return text_; }
  bool shows_text() const { return !shown_text_.empty(); }
  std::uint64_t frames_shown() const { return pipeline_.picture() ? pipeline_.picture()->frames_shown() : 0; }
  std::uint64_t frames_dropped() const { return dropped_; }
  StreamStatus status() const { return pipeline_.source().status(); }

 private:
  struct StreamEvents;
  using Clock = std::chrono::steady_clock;

  // Messages of the stream and of the pipeline.
  void opened(const StreamInfo& stream_info);
  void build();  // once it is known what the title holds
  void handle(GstMessage* message);
  void handle_error(GstMessage* message);
  void handle_warning(GstMessage* message);
  void handle_sound_failure(const std::string& detail);
  void restart(Duration here);
  void prerolled();
  void reached_end();
  void count_dropped(GstMessage* message);
  void look();  // periodically: position, shown quality and subtitle change without a message

  void load_text(const Track& track);
  void choose_captions();
  std::string text_now() const;
  void seek_now(Duration target);
  void fail(PlayerProblem problem);
  void update();
  void tell_problem(PlayerProblem problem);
  void tell_changed();
  const Track& picture_track() const { return info_->presentation.tracks.at(info_->qualities.at(0)); }
  bool can_seek() const { return built_ && !failed_; }

  const Player::Options& options_;
  const Player::ShowFrame& show_;
  const MainContext& context_;
  const PlayerSettings& settings_;
  PlayerNews& news_;
  const std::string url_;

  std::optional<StreamInfo> info_;
  std::optional<TitleContents> contents_;
  PlayerState told_ = PlayerState::kClosed;
  bool playing_ = false, buffering_ = true, built_ = false, first_frame_ = false, ended_ = false, failed_ = false;
  bool recovering_ = false;     // an element failed, and was replaced
  bool source_failed_ = false;  // since then: it ran into the failed one
  std::optional<Duration> seeking_to_, seek_next_;
  Clock::time_point seek_began_;
  std::optional<guint32> not_flushed_;  // the last seek; until its flush, the pipeline's messages are of before it
  Duration last_position_{};
  std::optional<QualityIndex> quality_seen_;
  std::optional<std::size_t> sound_, text_;
  std::string shown_text_;
  std::uint64_t dropped_ = 0;
  std::map<const void*, std::uint64_t> dropped_by_;  // by element: the count that it told last

  // In this order: members end from the last to the first, so none calls one that has ended.
  std::unique_ptr<StreamEvents> events_;
  PlayerPipeline pipeline_;
  std::unique_ptr<ShownText> shown_;   // of the track text_
  std::map<std::size_t, Cues> added_;  // texts of the user's, by their tracks
  RepeatedCall looking_;
};

}  // namespace tributary
