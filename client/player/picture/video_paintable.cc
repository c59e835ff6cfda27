#include "player/picture/video_paintable.hh"

#include <gst/video/video.h>

#include <cmath>
#include <utility>

struct _TributaryVideoPaintable {
  GObject parent;
  GdkTexture* texture;                  // shares its memory with `surface`
  cairo_surface_t *surface, *previous;  // `previous`: the one that GTK may still draw
  gboolean painted_by_processor;
  double pixel_aspect;  // width by height of one pixel
  guint64 drawn;        // number of pictures
  gboolean is_drawn;    // whether the present picture is counted
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

/// Avoids the texture: GTK 4.8 converts it to floating point before the processor paints, which takes most of the time.
void paint(const TributaryVideoPaintable* self, GdkSnapshot* snapshot, double width, double height) {
  const double columns = std::round(width), rows = std::round(height);
  const graphene_rect_t area = GRAPHENE_RECT_INIT(0, 0, static_cast<float>(columns), static_cast<float>(rows));
  cairo_t* const cairo = gtk_snapshot_append_cairo(GTK_SNAPSHOT(snapshot), &area);
  cairo_scale(cairo, columns / cairo_image_surface_get_width(self->surface),
              rows / cairo_image_surface_get_height(self->surface));
  cairo_set_source_surface(cairo, self->surface, 0, 0);
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BILINEAR);
  cairo_paint(cairo);
  cairo_destroy(cairo);
}

void drop_picture(TributaryVideoPaintable* self) {
  g_clear_object(&self->texture);
  g_clear_pointer(&self->previous, cairo_surface_destroy);
  self->previous = std::exchange(self->surface, nullptr);
}

void snapshot(GdkPaintable* paintable, GdkSnapshot* snapshot, double width, double height) {
  auto* self = TRIBUTARY_VIDEO_PAINTABLE(paintable);
  if (self->texture == nullptr) return;
  if (!self->is_drawn) ++self->drawn;
  self->is_drawn = TRUE;
  if (self->painted_by_processor) return paint(self, snapshot, width, height);
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
    drop_picture(TRIBUTARY_VIDEO_PAINTABLE(object));
    g_clear_pointer(&TRIBUTARY_VIDEO_PAINTABLE(object)->previous, cairo_surface_destroy);
    G_OBJECT_CLASS(tributary_video_paintable_parent_class)->finalize(object);
  };
}

namespace tributary::play {
namespace {

/// Pictures are opaque, so premultiplied alpha is the same and needs no conversion.
bool is_known(GstVideoFormat format) { return format == GST_VIDEO_FORMAT_BGRA || format == GST_VIDEO_FORMAT_BGRx; }

/// A decoder's picture, mapped for reading.
class MappedFrame {
 public:
  /// Maps nothing if the format is unknown.
  explicit MappedFrame(Sample from) : sample_{std::move(from)} {
    GstVideoInfo info;
    GstCaps* caps = sample_ ? gst_sample_get_caps(sample_.get()) : nullptr;
    if (caps == nullptr || !gst_video_info_from_caps(&info, caps) || !is_known(GST_VIDEO_INFO_FORMAT(&info))) return;
    GstBuffer* buffer = gst_sample_get_buffer(sample_.get());
    mapped_ = buffer != nullptr && gst_video_frame_map(&frame_, &info, buffer, GST_MAP_READ);
  }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;
  ~MappedFrame() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }

  bool mapped() const { return mapped_; }
  int width() const { return GST_VIDEO_FRAME_WIDTH(&frame_); }
  int height() const { return GST_VIDEO_FRAME_HEIGHT(&frame_); }
  double pixel_aspect() const {
    return static_cast<double>(GST_VIDEO_INFO_PAR_N(&frame_.info)) / GST_VIDEO_INFO_PAR_D(&frame_.info);
  }
  guint8* pixels() const { return static_cast<guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&frame_, 0)); }
  int stride() const { return GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, 0); }

 private:
  Sample sample_;
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

struct BytesUnref {
  void operator()(GBytes* bytes) const { g_bytes_unref(bytes); }
};

using SharedFrame = std::shared_ptr<const MappedFrame>;

void give_up(gpointer frame) { delete static_cast<SharedFrame*>(frame); }

GdkTexture* texture_of(const SharedFrame& frame) {
  const auto stride = static_cast<gsize>(frame->stride());
  const std::unique_ptr<GBytes, BytesUnref> bytes{g_bytes_new_with_free_func(
      frame->pixels(), stride * static_cast<gsize>(frame->height()), give_up, new SharedFrame{frame})};
  return gdk_memory_texture_new(frame->width(), frame->height(), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes.get(),
                                stride);
}

cairo_surface_t* surface_of(const SharedFrame& frame) {
  static const cairo_user_data_key_t key{};
  cairo_surface_t* const surface = cairo_image_surface_create_for_data(
      frame->pixels(), CAIRO_FORMAT_RGB24, frame->width(), frame->height(), frame->stride());
  cairo_surface_set_user_data(surface, &key, new SharedFrame{frame}, give_up);
  return surface;
}

}  // namespace

VideoPaintable::VideoPaintable()
    : object_{Ref<TributaryVideoPaintable>::take(
          TRIBUTARY_VIDEO_PAINTABLE(g_object_new(tributary_video_paintable_get_type(), nullptr)))} {}

GdkPaintable* VideoPaintable::paintable() const { return GDK_PAINTABLE(object_.get()); }

void VideoPaintable::set_painted_by_processor(bool so) { object_.get()->painted_by_processor = so; }

void VideoPaintable::show(Sample sample) {
  const GstStructure* const info = sample ? gst_sample_get_info(sample.get()) : nullptr;
  GstSample* whole = nullptr;
  if (info != nullptr) gst_structure_get(info, "whole", GST_TYPE_SAMPLE, &whole, nullptr);
  const auto frame = std::make_shared<const MappedFrame>(std::move(sample));
  whole_.reset(whole);
  if (!frame->mapped()) return;
  TributaryVideoPaintable* self = object_.get();
  const int old_width = intrinsic_width(paintable()), old_height = intrinsic_height(paintable());
  drop_picture(self);
  self->texture = texture_of(frame);
  self->surface = surface_of(frame);
  self->pixel_aspect = frame->pixel_aspect();
  self->is_drawn = FALSE;
  if (intrinsic_width(paintable()) != old_width || intrinsic_height(paintable()) != old_height) {
    gdk_paintable_invalidate_size(paintable());
  }
  gdk_paintable_invalidate_contents(paintable());
}

void VideoPaintable::clear() {
  drop_picture(object_.get());
  whole_.reset();
  object_.get()->drawn = 0;
  gdk_paintable_invalidate_size(paintable());
  gdk_paintable_invalidate_contents(paintable());
}

std::uint64_t VideoPaintable::drawn() const { return object_.get()->drawn; }

Ref<GdkTexture> VideoPaintable::texture() const {
  if (whole_) {
    const auto frame = std::make_shared<const MappedFrame>(Sample{gst_sample_ref(whole_.get())});
    if (frame->mapped()) return Ref<GdkTexture>::take(texture_of(frame));
  }
  return Ref<GdkTexture>::share(object_.get()->texture);
}

}  // namespace tributary::play
