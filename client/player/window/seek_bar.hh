#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "player/glib/g_handles.hh"
#include "player/window/playback_view.hh"
#include "presentation/presentation.hh"

namespace tributary::play {

/// Shows the position of playback within the playable and the buffered stretch. Drags and keys seek.
class SeekBar {
 public:
  using Seek = std::function<void(Duration)>;
  /// The small picture of the title at a position; null: there is none yet.
  using Thumbnail = std::function<Ref<GdkTexture>(Duration)>;

  explicit SeekBar(Seek seek);

  GtkWidget* widget() const { return scale_; }
  void show(const PlaybackView& view);
  /// Marks where they begin, and names them above the pointer.
  void show_chapters(std::vector<Chapter> chapters);
  /// From now on, the time under the pointer is shown with its picture.
  void show_thumbnails(Thumbnail thumbnail);
  /// A picture that was not there may be there now.
  void thumbnail_arrived();
  /// The position under a drag that has not ended; nothing: there is none.
  std::optional<Duration> wanted() const { return wanted_; }

 private:
  gboolean change(double seconds);
  void point_at(double x);
  bool is_under_pointer() const;
  void leave();
  void show_bubble();
  void draw_marks();
  std::string time_text(Duration position) const;
  std::string bubble_text(Duration position) const;

  Seek seek_;
  Thumbnail thumbnail_;
  GtkWidget* scale_;
  // Above the pointer: the picture, and its time below it.
  GtkWidget *bubble_, *picture_, *time_;
  std::optional<double> pointer_;  // where it is over the bar
  PlaybackView view_;
  std::vector<Chapter> chapters_;
  std::optional<Duration> wanted_;
  Timer settle_, hold_;
  Signals signals_;
};

}  // namespace tributary::play
