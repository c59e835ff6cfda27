#pragma once

#include <adwaita.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gst/player/player.hh"
#include "player/desktop/local_server.hh"
#include "player/desktop/mpris.hh"
#include "player/desktop/sleep_inhibitor.hh"
#include "player/memory/history_file.hh"
#include "player/memory/playlist.hh"
#include "player/play_options.hh"
#include "player/playback_commands.hh"
#include "player/playback_presenter.hh"
#include "player/texts/problem_texts.hh"
#include "player/texts/track_names.hh"
#include "player/window/actions.hh"
#include "player/window/play_window.hh"
#include "player/window/thumbnails.hh"

namespace tributary::play {

/// Joins the window, the player, the desktop and the memory of addresses and answers.
class PlayController final : public PlayerListener {
 public:
  /// Calls `ended` once; the owner must then destroy the controller, but not within the call.
  PlayController(AdwApplication* application, PlayOptions options, std::function<void()> ended);
  ~PlayController() override;

  /// Remembers the position, or forgets the remembered one, and calls `ended`.
  void end(bool remember);

 private:
  PlayWindow::Calls window_calls();
  Mpris::Calls mpris_calls();
  void add_playback_actions();
  void add_track_actions();
  void add_window_actions();

  /// The texts of a user: typed, dropped, or given on the command line. They play one after the other.
  void open_all(const std::vector<std::string>& texts);
  void open(const std::string& text);
  void play_from_list(std::size_t number);
  void go_in_list(int by);
  void show_playlist();
  void open_at(const std::string& url, Duration position);
  std::string address_to_stream(const std::string& url);
  void stop();
  void screenshot();
  void tell_of_screenshot(const std::string& path, const std::string& error);
  void ask_address();
  void add_subtitles(const std::string& path);
  void paste();
  void copy_address();
  void show_shortcuts();
  void show_preferences();
  void prefer(const Preferences& preferences);
  void apply_colours() const;
  void show_about();
  void set_fullscreen(bool on);

  void state_changed(PlayerState state) override;
  void opened(const StreamInfo& info) override;
  void text_added(const StreamInfo& info) override;
  void changed() override;
  void seeked(Duration position) override;
  void skipped(const SkippedSegment& skipped) override;
  void subtitle(const std::string& markup) override;
  void problem(const PlayerProblem& problem) override;

  void forget_title();
  void refresh();
  void ask_about_costs();
  void show_choices();
  void tell_desktop();
  void show_problem(const ProblemText& problem);
  void remember_position(bool forget = false);
  void choose_asked_quality();
  void apply_preferences();
  void choose_asked_tracks();
  void show_thumbnails();
  void forget_thumbnails();
  std::string title() const;
  std::string place_in_list() const;

  AdwApplication* application_;
  PreferencesFile preferences_file_;
  Preferences preferences_;
  const bool sound_asked_;  // on the command line
  PlayOptions options_;
  std::function<void()> ended_;
  HistoryFile history_;
  Playlist playlist_;
  std::string url_;       // the one that is open, or could not be opened; empty: none
  std::string streamed_;  // the same as the player asks for it: of a file, by our own server
  Duration opened_at_{};
  StreamInfo info_;
  TrackNames names_;
  ProblemText note_;  // the part that is missing while the title plays
  unsigned ticks_ = 0;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  // tells late answers whether the controller still exists

  PlayWindow window_;
  Actions actions_;
  SleepInhibitor awake_;
  std::unique_ptr<LocalServer> server_;  // for a presentation on this computer
  std::unique_ptr<Player> player_;
  std::optional<PlaybackCommands> commands_;
  std::unique_ptr<Thumbnails> thumbnails_;  // null: the title has none
  std::optional<PlaybackPresenter> presenter_;
  std::optional<Mpris> mpris_;
  Timer tick_, save_;
  Timer next_;
  Timer told_of_skip_;  // while it runs, further skips make no message
};

}  // namespace tributary::play
