#pragma once

#include <gtk/gtk.h>

#include "player/glib/g_handles.hh"
#include "player/picture/frame_mailbox.hh"

G_BEGIN_DECLS
G_DECLARE_FINAL_TYPE(TributaryVideoPaintable, tributary_video_paintable, TRIBUTARY, VIDEO_PAINTABLE, GObject)
G_END_DECLS

namespace tributary::play {

/// The latest picture of a video, for a widget that shows a GdkPaintable. Draws it from the decoder's memory.
class VideoPaintable {
 public:
  VideoPaintable();

  GdkPaintable* paintable() const;
  /// Takes a picture in BGRA or BGRx, and ignores others.
  void show(Sample sample);
  void clear();
  /// Whether GTK paints with the processor, and not on a graphics card.
  void set_painted_by_processor(bool so);
  /// The present picture in its original size; null before the first.
  Ref<GdkTexture> texture() const;
  /// The number of pictures that were drawn since clear().
  std::uint64_t drawn() const;

 private:
  Ref<TributaryVideoPaintable> object_;
  Sample whole_;  // the unscaled picture
};

}  // namespace tributary::play
