#pragma once

#include "gst/player/player.hh"
#include "player/desktop/mpris.hh"
#include "player/desktop/sleep_inhibitor.hh"
#include "player/memory/playlist.hh"
#include "player/open_title.hh"
#include "player/window/play_window.hh"

namespace tributary::play {

/// Shows the state of the player to the desktop: to media keys and lock screens, and to its wish to sleep.
class DesktopPresenter {
 public:
  /// What is shown; it must outlive this.
  struct Shown {
    const Player& player;
    PlayWindow& window;
    const OpenTitle& title;
    const Playlist& playlist;
  };
  DesktopPresenter(const Shown& shown, Mpris::Calls calls);

  void refresh();
  void state_changed(PlayerState state);
  void seeked(Duration position) { mpris_.seeked(position); }

 private:
  Shown shown_;
  SleepInhibitor awake_;
  Mpris mpris_;
};

}  // namespace tributary::play
