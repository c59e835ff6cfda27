#pragma once

#include <optional>
#include <string>

#include "gst/main_context.hh"
#include "gst/player/dropped_frames.hh"
#include "gst/player/pipeline_errors.hh"
#include "gst/player/player.hh"
#include "gst/player/player_news.hh"
#include "gst/player/player_pipeline.hh"
#include "gst/player/seeks.hh"
#include "gst/player/title_listener.hh"
#include "gst/player/title_state.hh"
#include "gst/texts/chosen_text.hh"

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

/// One title from its opening until it is closed. Joins its pipeline, its state, its seeks and its text; tells the
/// listener. Runs in one thread, that of the main context.
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

  PlayedTitle(const Surroundings& surroundings, const std::string& url, Duration start);

  // To be called after a change of the settings.
  void wish_changed();
  void speed_changed();
  void sound_changed();  // its volume, its delay
  void quality_changed() { pipeline_.source().choose_quality(settings_.quality); }
  void picture_box_changed() { pipeline_.fit_pictures(settings_.picture_box); }
  /// Also periodically: position, shown quality and subtitle change without a message.
  void look();

  void seek(Duration target, Player::SeekTo how);
  bool can_step() const { return state_.can_seek() && info_->leading_track().frame_rate_num > 0; }
  void step(int frames);
  void choose_sound(std::size_t track);
  void choose_text(std::optional<std::size_t> track);
  /// Adds a text of the user's, and shows it. Nothing before the title has been opened.
  void add_text(const std::string& name, TextFile file);
  void use_link(const std::string& name, LinkUse use) { pipeline_.source().use_link(name, use); }

  PlayerState state() const { return state_.for_listener(settings_.wants_to_play); }
  Duration position() const;
  Duration duration() const;
  std::optional<QualityIndex> shown_quality() const { return pipeline_.source().quality(); }
  std::optional<std::size_t> sound() const { return sound_; }
  const ChosenText& text() const { return text_; }
  struct Frames {
    std::uint64_t shown = 0, dropped = 0;
  };
  Frames frames() const;
  StreamStatus status() const { return pipeline_.source().status(); }

 private:
  void build();  // once it is known what the title holds
  void handle(GstMessage* message);
  void follow(const Consequence& consequence, Duration here);
  void prerolled();
  void reached_end();
  void seek_now(Duration target);
  void fail(const PlayerProblem& problem);
  void update();

  const PlayerSettings& settings_;
  PlayerNews& news_;

  std::optional<StreamInfo> info_;
  std::optional<TitleContents> contents_;
  TitleState state_;
  Seeks seeks_;
  std::optional<QualityIndex> quality_seen_;
  std::optional<std::size_t> sound_;
  DroppedFrames dropped_;

  // In this order: members end from the last to the first, so none calls one that has ended.
  TitleListener listener_;
  PlayerPipeline pipeline_;
  ChosenText text_;
  RepeatedCall looking_;
};

}  // namespace tributary
