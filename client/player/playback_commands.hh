#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gst/player/player.hh"
#include "player/texts/track_names.hh"

namespace tributary::play {

/// Carries out the commands of keys, menus and buttons. Tells their effect in a few words if the window does not show
/// it.
class PlaybackCommands {
 public:
  using Tell = std::function<void(const std::string&)>;

  PlaybackCommands(Player& player, Tell tell) : player_{player}, tell_{std::move(tell)} {}

  void opened(const StreamInfo& info, const TrackNames& names);
  void closed() { opened({}, {}); }
  void seeked() { wanted_.reset(); }

  void toggle_pause();
  /// Counts from the target of the last seek until playback has reached it.
  void seek_by(Duration by);
  void seek_to(Duration position);
  void go_live();
  /// To the next chapter, or to the beginning of this one or of the one before.
  void go_to_chapter(int direction);
  void step(int pictures);
  void set_speed(double speed);
  void set_volume(double volume);
  void set_muted(bool muted);
  void set_loop(bool loop);
  /// "auto" or the number of a quality.
  void choose_quality(const std::string& choice);
  /// The number of a track; "none" for no subtitles.
  void choose_sound(const std::string& choice);
  void choose_text(const std::string& choice);
  void next_sound();
  void next_text(int direction);
  void toggle_text();
  void delay_text_by(Duration by);
  void delay_sound_by(Duration by);

  /// The position of playback, or the target of the last seek until playback has reached it.
  Duration position() const { return wanted_.value_or(player_.position()); }

 private:
  void show_text(std::optional<std::size_t> track);

  Player& player_;
  Tell tell_;
  TrackNames names_;
  std::vector<Chapter> chapters_;
  bool live_ = false;
  std::optional<Duration> wanted_;     // target of a seek that playback has not reached yet
  std::optional<std::size_t> hidden_;  // subtitles that toggle_text() shows again
};

}  // namespace tributary::play
