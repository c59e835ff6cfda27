#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/window/playback_view.hh"

namespace tributary::play {

/// Shows the position of playback within the playable and the buffered stretch. Drags and keys seek.
class SeekBar {
 public:
  using Seek = std::function<void(Duration)>;

  explicit SeekBar(Seek seek);

  GtkWidget* widget() const { return scale_; }
  void show(const PlaybackView& view);
  /// The position under a drag that has not ended; nothing: there is none.
  std::optional<Duration> wanted() const { return wanted_; }

 private:
  gboolean change(double seconds);
  gboolean tooltip(int x, GtkTooltip* tooltip) const;
  std::string time_text(Duration position) const;

  Seek seek_;
  GtkWidget* scale_;
  PlaybackView view_;
  std::optional<Duration> wanted_;
  Timer settle_, hold_;
  Signals signals_;
};

}  // namespace tributary::play
