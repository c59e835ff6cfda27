#pragma once

#include <functional>
#include <string>

#include "gst/player/player.hh"
#include "player/memory/preferences.hh"
#include "player/open_title.hh"
#include "player/play_options.hh"

namespace tributary::play {

/// What the command line asks for, or else the user prefers: qualities, languages, decoders.
class TitleWishes {
 public:
  using Tell = std::function<void(const std::string&)>;

  TitleWishes(PlayOptions options, PreferencesFile file);

  /// With what the user preferred at the start.
  const PlayOptions& options() const { return options_; }
  /// Of the command line: for the first title only.
  std::optional<Duration> take_start() { return std::exchange(options_.start, std::nullopt); }
  std::vector<std::string> take_subtitle_files() { return std::exchange(options_.subtitle_files, {}); }

  const Preferences& preferences() const { return preferences_; }
  /// Languages and decoders hold from the next title on, and what is remembered from the next start; all else at once.
  void prefer(const Preferences& preferences, Player& player);
  /// For all titles.
  void apply(Player& player) const;
  /// Chooses in a title that has just been opened, and tells what it does not have.
  void choose(const OpenTitle& title, Player& player, const Tell& tell) const;

 private:
  void choose_quality(const OpenTitle& title, Player& player, const Tell& tell) const;
  void choose_sound(const OpenTitle& title, Player& player, const Tell& tell) const;
  void choose_text(const OpenTitle& title, Player& player, const Tell& tell) const;

  PreferencesFile file_;
  Preferences preferences_;
  const bool sound_asked_;  // on the command line
  PlayOptions options_;
};

}  // namespace tributary::play
