#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <string>

#include "player/glib/g_handles.hh"
#include "player/picture/frame_mailbox.hh"
#include "player/picture/video_paintable.hh"

namespace tributary::play {

/// The picture and the texts over it: subtitles, "Buffering…", and for a moment the effect of a key.
class VideoView {
 public:
  VideoView();

  GtkWidget* widget() const { return overlay_; }
  /// A function that takes pictures, from any thread.
  std::function<void(GstSample*)> slot() { return mailbox_.slot(); }
  /// If pictures should come in the size in which they are shown, calls `call` with that size in pixels, and again at
  /// each change.
  void when_resized(std::function<void(int width, int height)> call) { resized_ = std::move(call); }
  void clear();
  Ref<GdkTexture> picture() const { return paintable_.texture(); }
  /// The number since clear(). If the window is too slow, fewer than came.
  std::uint64_t pictures_drawn() const { return paintable_.drawn(); }

  /// Pango markup; empty: none.
  void show_subtitle(const std::string& markup);
  /// The reason of a wait; empty: playback does not wait. `may_cancel`: with a button that ends it (win.cancel).
  void show_waiting(const std::string& why, bool may_cancel = false);
  /// Shows the text for a moment.
  void tell(const std::string& text);
  /// Subtitles stay above the controls, which cover this much of the lower edge.
  void leave_room_below(int pixels);

 private:
  void look_at_renderer(GtkWidget* picture);
  void resized(int width, int height);

  VideoPaintable paintable_;
  FrameMailbox mailbox_;
  GtkWidget *overlay_, *subtitle_, *waiting_, *spinner_, *why_, *cancel_, *told_;
  Ref<GtkCssProvider> subtitle_style_;
  Timer untell_, fit_;
  std::function<void(int width, int height)> resized_;
  bool painted_by_processor_ = false;
  Signals signals_;
};

}  // namespace tributary::play
