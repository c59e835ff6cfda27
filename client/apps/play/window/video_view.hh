#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <string>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/window/frame_mailbox.hh"
#include "apps/play/window/video_paintable.hh"

namespace tributary::play {

/// The picture, and what is written over it: subtitles, "Buffering…", and for a moment what a key did.
class VideoView {
 public:
  VideoView();

  GtkWidget* widget() const { return overlay_; }
  /// Pictures go in here, from any thread.
  std::function<void(GstSample*)> slot() { return mailbox_.slot(); }
  /// Where pictures are best made as large as they are shown: how many pixels that is, and again when it changes.
  void when_resized(std::function<void(int width, int height)> call) { resized_ = std::move(call); }
  void clear();
  Ref<GdkTexture> picture() const { return paintable_.texture(); }
  /// Since clear(). Where the window is too slow, fewer than came.
  std::uint64_t pictures_drawn() const { return paintable_.drawn(); }

  /// Pango markup; empty: none.
  void show_subtitle(const std::string& markup);
  /// Why it waits; empty: it does not.
  void show_waiting(const std::string& why);
  /// For a moment.
  void tell(const std::string& text);
  /// Subtitles stay above what covers the lower edge.
  void leave_room_below(int pixels);

 private:
  void look_at_renderer(GtkWidget* picture);
  void resized(int width, int height);

  VideoPaintable paintable_;
  FrameMailbox mailbox_;
  GtkWidget *overlay_, *subtitle_, *waiting_, *spinner_, *why_, *told_;
  Ref<GtkCssProvider> subtitle_style_;
  Timer untell_, fit_;
  std::function<void(int width, int height)> resized_;
  bool painted_by_processor_ = false;
  Signals signals_;
};

}  // namespace tributary::play
