#pragma once

#include <adwaita.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/player/player.hh"
#include "player/desktop_presenter.hh"
#include "player/glib/late_answers.hh"
#include "player/memory/played_films.hh"
#include "player/memory/playlist.hh"
#include "player/open_title.hh"
#include "player/play_options.hh"
#include "player/playback_commands.hh"
#include "player/playback_presenter.hh"
#include "player/title_wishes.hh"
#include "player/window/actions.hh"
#include "player/window/play_window.hh"

namespace tributary::play {

/// Decides which title is opened when, and joins the window, the player, the desktop and what is remembered.
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
  void add_window_actions();
  void add_title_actions();

  /// The texts of a user: typed, dropped, or given on the command line. They play one after the other.
  void open_all(const std::vector<std::string>& texts);
  void open(const std::string& text);
  void play_from_list(std::size_t number);
  void go_in_list(int by);
  void show_playlist();
  void open_at(const std::string& url, Duration position);
  void stop();
  void screenshot();
  void add_subtitles(const std::vector<std::string>& paths);
  void show_preferences();

  void state_changed(PlayerState state) override;
  void opened(const StreamInfo& info) override;
  void text_added(const StreamInfo& info) override;
  void changed() override;
  void seeked(Duration position) override;
  void skipped(const SkippedSegment& skipped) override { presenter_->skipped(skipped); }
  void subtitle(const std::string& markup) override { window_.video().show_subtitle(markup); }
  void problem(const PlayerProblem& problem) override;

  void refresh();
  void ask_about_costs();
  void show_problem(const ProblemText& problem);
  void remember_position();

  TitleWishes wishes_;
  std::function<void()> ended_;
  PlayedFilms films_;
  Playlist playlist_;
  OpenTitle title_;
  LateAnswers late_;

  PlayWindow window_;
  Actions actions_;
  std::unique_ptr<Player> player_;
  std::optional<PlaybackCommands> commands_;
  std::optional<PlaybackPresenter> presenter_;
  std::optional<DesktopPresenter> desktop_;
  Timer tick_, save_;
  Timer next_;
};

}  // namespace tributary::play
