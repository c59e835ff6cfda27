#include "player/window/thumbnails.hh"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace tributary::play {
namespace {

constexpr DataSize kLargestSheet{8'000'000};
constexpr std::int64_t kMostPixels = 16'000'000;  // of one sheet: three or four bytes each
constexpr std::size_t kKeptSheets = 4;
constexpr int kWidest = 240;  // of a picture that is shown

struct Sheet : SideContent {
  explicit Sheet(Ref<GdkPixbuf> all) : pixels{std::move(all)} {}
  Ref<GdkPixbuf> pixels;  // is not written any more
};

/// A size of zero tells the decoder to stop, before it takes memory for the picture.
void refuse_large(GdkPixbufLoader* decoder, int width, int height, gpointer /*data*/) {
  if (std::int64_t{width} * height > kMostPixels) gdk_pixbuf_loader_set_size(decoder, 0, 0);
}

std::shared_ptr<const SideContent> read_sheet(const std::string& bytes, const std::string& /*init*/) {
  const auto decoder = Ref<GdkPixbufLoader>::take(gdk_pixbuf_loader_new());
  g_signal_connect(decoder.get(), "size-prepared", G_CALLBACK(refuse_large), nullptr);
  GError* error = nullptr;
  const bool written = gdk_pixbuf_loader_write(decoder.get(), reinterpret_cast<const guchar*>(bytes.data()),
                                               bytes.size(), &error) != FALSE;
  const GlibError why_unread{error};
  const bool closed = gdk_pixbuf_loader_close(decoder.get(), nullptr) != FALSE;
  GdkPixbuf* const pixels = written && closed ? gdk_pixbuf_loader_get_pixbuf(decoder.get()) : nullptr;
  if (pixels == nullptr) throw std::runtime_error{why_unread ? why_unread->message : "the picture is cut off"};
  return std::make_shared<const Sheet>(Ref<GdkPixbuf>::share(pixels));
}

Ref<GdkTexture> texture_of_tile(GdkPixbuf* sheet, const Tiles& tiles, std::size_t tile) {
  const int columns = std::max(tiles.columns, 1), rows = std::max(tiles.rows, 1);
  const int width = gdk_pixbuf_get_width(sheet) / columns, height = gdk_pixbuf_get_height(sheet) / rows;
  const auto column = static_cast<int>(tile % static_cast<std::size_t>(columns));
  const auto row = static_cast<int>(tile / static_cast<std::size_t>(columns));
  if (width == 0 || height == 0 || row >= rows) return {};
  auto picture = Ref<GdkPixbuf>::take(gdk_pixbuf_new_subpixbuf(sheet, column * width, row * height, width, height));
  if (width > kWidest) {
    const int low = std::max(static_cast<int>(std::int64_t{height} * kWidest / width), 1);
    picture = Ref<GdkPixbuf>::take(gdk_pixbuf_scale_simple(picture.get(), kWidest, low, GDK_INTERP_BILINEAR));
  }
  return picture ? Ref<GdkTexture>::take(gdk_texture_new_for_pixbuf(picture.get())) : Ref<GdkTexture>{};
}

}  // namespace

Thumbnails::Thumbnails(Source source, Links links, std::function<void()> arrived)
    : zero_{source.zero},
      links_{std::move(links)},
      loader_{{.files = std::move(source.files),
               .base = std::move(source.manifest),
               .rules = std::move(source.rules),
               .largest = kLargestSheet,
               .kept = kKeptSheets},
              read_sheet,
              {.loaded =
                   [alive = alive_, arrived = std::move(arrived)] {
                     auto* call = new std::function<void()>{[alive, arrived] {
                       if (*alive) arrived();
                     }};
                     g_idle_add_full(
                         G_PRIORITY_DEFAULT,
                         [](gpointer made) -> gboolean {
                           (*static_cast<std::function<void()>*>(made))();
                           return G_SOURCE_REMOVE;
                         },
                         call, [](gpointer made) { delete static_cast<std::function<void()>*>(made); });
                   },
               .failed = [](const std::string&) {}}} {}

Thumbnails::~Thumbnails() { *alive_ = false; }

Ref<GdkTexture> Thumbnails::at(Duration position) {
  const Duration time = position + zero_, behind = time + Duration{1};
  if (loader_.lacks(time, behind)) loader_.want(time, behind, links_());
  const std::vector<SideLoader::Held> held = loader_.held(time, behind);
  if (held.empty()) return {};
  const auto* sheet = static_cast<const Sheet*>(held.front().content.get());
  return texture_of_tile(sheet->pixels.get(), held.front().file.tiles, tile_at(held.front().file, time));
}

}  // namespace tributary::play
