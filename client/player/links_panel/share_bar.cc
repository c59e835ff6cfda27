#include "player/links_panel/share_bar.hh"

#include <adwaita.h>

#include <algorithm>
#include <numbers>

#include "player/links_panel/link_colours.hh"

namespace tributary::play {
namespace {

void round_rectangle(cairo_t* cairo, double width, double height) {
  const double radius = std::min(width, height) / 2;
  constexpr double kQuarter = std::numbers::pi / 2;
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, width - radius, radius, radius, -kQuarter, kQuarter);
  cairo_arc(cairo, radius, height - radius, radius, kQuarter, 3 * kQuarter);
  cairo_close_path(cairo);
}

}  // namespace

ShareBar::ShareBar(int height)
    : area_{GTK_WIDGET(g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                    "content-height", height, "hexpand", TRUE, nullptr))} {
  gtk_drawing_area_set_draw_func(
      GTK_DRAWING_AREA(area_),
      [](GtkDrawingArea*, cairo_t* cairo, int width, int height_now, gpointer self) {
        static_cast<const ShareBar*>(self)->draw(cairo, width, height_now);
      },
      this, nullptr);
  signals_.on_notify(adw_style_manager_get_default(), "dark", [this] { gtk_widget_queue_draw(area_); });
}

void ShareBar::show(std::vector<Share> shares) {
  shares_ = std::move(shares);
  gtk_widget_queue_draw(area_);
}

void ShareBar::draw(cairo_t* cairo, int width, int height) const {
  const bool dark = adw_style_manager_get_dark(adw_style_manager_get_default()) != FALSE;
  GdkRGBA foreground;
  gtk_style_context_get_color(gtk_widget_get_style_context(area_), &foreground);
  round_rectangle(cairo, width, height);
  cairo_clip(cairo);
  constexpr double kTrough = 0.12;
  cairo_set_source_rgba(cairo, foreground.red, foreground.green, foreground.blue, kTrough);
  cairo_paint(cairo);
  double from = 0;
  for (const Share& share : shares_) {
    const GdkRGBA colour = link_colour(share.link, dark);
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
    const double part = std::clamp(share.fraction, 0.0, 1.0) * width;
    cairo_rectangle(cairo, from, 0, part, height);
    cairo_fill(cairo);
    from += part;
  }
}

}  // namespace tributary::play
