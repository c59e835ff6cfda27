#pragma once

#include <gtk/gtk.h>

#include <string>
#include <vector>

#include "player/glib/g_handles.hh"
#include "player/texts/track_names.hh"
#include "player/window/playback_view.hh"
#include "player/window/seek_bar.hh"

namespace tributary::play {

/// The controls under the picture. Buttons are actions of the window (win.…). Seeking and the volume, which change
/// during a drag, call functions instead.
class ControlBar {
 public:
  struct Calls {
    SeekBar::Seek seek;
    std::function<void(double volume)> volume;
  };

  explicit ControlBar(Calls calls);

  GtkWidget* widget() const { return bar_; }
  SeekBar& seek_bar() { return seek_bar_; }
  void show(const PlaybackView& view);
  void show_tracks(const TrackNames& names);
  /// The text beside the button of the links panel: "2 · 5.9 Mbit/s".
  void show_links(const std::string& text);
  bool has_open_menu() const;
  /// Hides the controls that have no room in a window of this width, in pixels.
  void fit(int width);

 private:
  /// The button of the qualities keeps one width, whichever is shown: nothing beside it moves.
  void make_room_for(const std::vector<std::string>& qualities);
  void show_time(const PlaybackView& view);
  void show_volume(const PlaybackView& view);

  Calls calls_;
  SeekBar seek_bar_;
  GtkWidget *bar_, *elapsed_, *total_, *play_, *mute_, *volume_, *live_, *links_, *links_label_, *quality_,
      *quality_label_, *tracks_, *speed_;
  bool showing_ = false;
  Signals signals_;
};

}  // namespace tributary::play
