#include "apps/play/video_paintable.hh"

#include <gst/video/video.h>

#include <cmath>

struct _TributaryVideoPaintable {
  GObject parent;
  GdkTexture* texture;
  double pixel_aspect;  // width by height of one pixel
  guint64 drawn;        // pictures
  gboolean is_drawn;    // this one
};

namespace {

int intrinsic_width(GdkPaintable* paintable) {
  const auto* self = TRIBUTARY_VIDEO_PAINTABLE(paintable);
  if (self->texture == nullptr) return 0;
  return static_cast<int>(std::lround(gdk_texture_get_width(self->texture) * self->pixel_aspect));
}

int intrinsic_height(GdkPaintable* paintable) {
  const auto* self = TRIBUTARY_VIDEO_PAINTABLE(paintable);
  return self->texture == nullptr ? 0 : gdk_texture_get_height(self->texture);
}

double intrinsic_aspect(GdkPaintable* paintable) {
  const int height = intrinsic_height(paintable);
  return height == 0 ? 0 : static_cast<double>(intrinsic_width(paintable)) / height;
}

void snapshot(GdkPaintable* paintable, GdkSnapshot* snapshot, double width, double height) {
  auto* self = TRIBUTARY_VIDEO_PAINTABLE(paintable);
  if (self->texture == nullptr) return;
  if (!self->is_drawn) ++self->drawn;
  self->is_drawn = TRUE;
  gdk_paintable_snapshot(GDK_PAINTABLE(self->texture), snapshot, width, height);
}

GdkPaintable* current_image(GdkPaintable* paintable) {
  const auto* self = TRIBUTARY_VIDEO_PAINTABLE(paintable);
  if (self->texture == nullptr) return gdk_paintable_new_empty(0, 0);
  return GDK_PAINTABLE(g_object_ref(self->texture));
}

void interface_init(GdkPaintableInterface* interface) {
  interface->snapshot = snapshot;
  interface->get_current_image = current_image;
  interface->get_intrinsic_width = intrinsic_width;
  interface->get_intrinsic_height = intrinsic_height;
  interface->get_intrinsic_aspect_ratio = intrinsic_aspect;
}

}  // namespace

G_DEFINE_TYPE_WITH_CODE(TributaryVideoPaintable, tributary_video_paintable, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, interface_init))

static void tributary_video_paintable_init(TributaryVideoPaintable* self) { self->pixel_aspect = 1; }

static void tributary_video_paintable_class_init(TributaryVideoPaintableClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = [](GObject* object) {
    g_clear_object(&TRIBUTARY_VIDEO_PAINTABLE(object)->texture);
    G_OBJECT_CLASS(tributary_video_paintable_parent_class)->finalize(object);
  };
}

namespace tributary::play {
namespace {

/// A decoder's picture, readable as long as it lives.
class MappedFrame {
 public:
  MappedFrame(Sample from, const GstVideoInfo& info) : sample_{std::move(from)} {
    GstBuffer* buffer = gst_sample_get_buffer(sample_.get());
    mapped_ = buffer != nullptr && gst_video_frame_map(&frame_, &info, buffer, GST_MAP_READ);
  }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;
  ~MappedFrame() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }

  bool mapped() const { return mapped_; }
  const void* pixels() const { return GST_VIDEO_FRAME_PLANE_DATA(&frame_, 0); }
  gsize stride() const { return static_cast<gsize>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, 0)); }

 private:
  Sample sample_;
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

struct BytesUnref {
  void operator()(GBytes* bytes) const { g_bytes_unref(bytes); }
};

/// Pictures are opaque, so that premultiplied is the same, and needs no conversion.
bool is_known(GstVideoFormat format) {
  return format == GST_VIDEO_FORMAT_BGRA || format == GST_VIDEO_FORMAT_BGRx;
}

}  // namespace

VideoPaintable::VideoPaintable()
    : object_{Ref<TributaryVideoPaintable>::take(
          TRIBUTARY_VIDEO_PAINTABLE(g_object_new(tributary_video_paintable_get_type(), nullptr)))} {}

GdkPaintable* VideoPaintable::paintable() const { return GDK_PAINTABLE(object_.get()); }

void VideoPaintable::show(Sample sample) {
  GstVideoInfo info;
  GstCaps* caps = sample ? gst_sample_get_caps(sample.get()) : nullptr;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps) || !is_known(GST_VIDEO_INFO_FORMAT(&info)))
    return;
  auto frame = std::make_unique<MappedFrame>(std::move(sample), info);
  if (!frame->mapped()) return;
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  const int height = GST_VIDEO_INFO_HEIGHT(&info);
  const gsize stride = frame->stride();
  const double pixel_aspect = static_cast<double>(GST_VIDEO_INFO_PAR_N(&info)) / GST_VIDEO_INFO_PAR_D(&info);
  const void* pixels = frame->pixels();
  const std::unique_ptr<GBytes, BytesUnref> bytes{g_bytes_new_with_free_func(
      pixels, stride * static_cast<gsize>(height),
      [](gpointer done) { delete static_cast<MappedFrame*>(done); }, frame.release())};

  TributaryVideoPaintable* self = object_.get();
  const int old_width = intrinsic_width(paintable()), old_height = intrinsic_height(paintable());
  g_clear_object(&self->texture);
  self->texture =
      gdk_memory_texture_new(width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes.get(), stride);
  self->pixel_aspect = pixel_aspect;
  self->is_drawn = FALSE;
  if (intrinsic_width(paintable()) != old_width || intrinsic_height(paintable()) != old_height) {
    gdk_paintable_invalidate_size(paintable());
  }
  gdk_paintable_invalidate_contents(paintable());
}

void VideoPaintable::clear() {
  g_clear_object(&object_.get()->texture);
  object_.get()->drawn = 0;
  gdk_paintable_invalidate_size(paintable());
  gdk_paintable_invalidate_contents(paintable());
}

std::uint64_t VideoPaintable::drawn() const { return object_.get()->drawn; }

Ref<GdkTexture> VideoPaintable::texture() const { return Ref<GdkTexture>::share(object_.get()->texture); }

}  // namespace tributary::play
