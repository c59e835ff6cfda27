#pragma once

#include <gtk/gtk.h>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/window/frame_mailbox.hh"

G_BEGIN_DECLS
G_DECLARE_FINAL_TYPE(TributaryVideoPaintable, tributary_video_paintable, TRIBUTARY, VIDEO_PAINTABLE, GObject)
G_END_DECLS

namespace tributary::play {

/// The latest picture of a video, for whatever widget shows a GdkPaintable. It is drawn from the decoder's memory.
class VideoPaintable {
 public:
  VideoPaintable();

  GdkPaintable* paintable() const;
  /// A picture in BGRA or BGRx. Others are ignored.
  void show(Sample sample);
  void clear();
  /// Whether GTK paints with the processor, and not on a graphics card.
  void set_painted_by_processor(bool so);
  /// The picture as it is now, as large as it was made; nothing before the first.
  Ref<GdkTexture> texture() const;
  /// Pictures that came to be drawn, since clear().
  std::uint64_t drawn() const;

 private:
  Ref<TributaryVideoPaintable> object_;
  Sample whole_;  // of which the picture was made
};

}  // namespace tributary::play
