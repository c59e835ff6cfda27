#include "player/links_panel/chart_painter.hh"

#include <adwaita.h>

#include <algorithm>
#include <cmath>

#include "player/links_panel/link_colours.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

constexpr double kTitle = 20;  // height of a lane's title
constexpr double kAxis = 20;   // height of the time axis
constexpr double kMargin = 8;  // between numbers and lane
constexpr GdkRGBA kStall{0.88F, 0.11F, 0.14F, 1.0F};

/// A round number, with the digits that it has.
std::string axis_text(double number) {
  int decimals = 0;
  for (double scaled = number; decimals < 3 && std::abs(scaled - std::round(scaled)) > 1e-6; scaled *= 10) ++decimals;
  return number_text(number, decimals);
}

}  // namespace

ChartPainter::ChartPainter(cairo_t* cairo, GtkWidget* widget, const ChartModel& model,
                           const std::vector<std::string>& qualities, int width, int height)
    : cairo_{cairo},
      model_{model},
      qualities_{qualities},
      dark_{adw_style_manager_get_dark(adw_style_manager_get_default()) != FALSE},
      layout_{Ref<PangoLayout>::take(gtk_widget_create_pango_layout(widget, nullptr))},
      height_{static_cast<double>(height)} {
  GtkStyleContext* style = gtk_widget_get_style_context(widget);
  gtk_style_context_get_color(style, &foreground_);
  background_ = {.red = 1, .green = 1, .blue = 1, .alpha = 1};
  gtk_style_context_lookup_color(style, "card_bg_color", &background_);
  const PangoFontDescription* font = pango_context_get_font_description(gtk_widget_get_pango_context(widget));
  PangoFontDescription* small = pango_font_description_copy(font);
  constexpr double kSmaller = 0.82;
  const double size = pango_font_description_get_size(font) * kSmaller;
  if (pango_font_description_get_size_is_absolute(font)) {
    pango_font_description_set_absolute_size(small, size);
  } else {
    pango_font_description_set_size(small, static_cast<int>(size));
  }
  pango_layout_set_font_description(layout_.get(), small);
  pango_font_description_free(small);
  double labels = std::max(text_width(axis_text(model.most_megabits)), text_width(axis_text(model.most_buffer)));
  for (const std::string& name : qualities_) labels = std::max(labels, text_width(name));
  left_ = std::ceil(labels) + kMargin;
  right_ = width - 1.0;
}

void ChartPainter::paint(std::optional<double> pointed) {
  // The rates deserve most of the height.
  const double room = height_ - 3 * kTitle - kAxis;
  const double rates_height = std::floor(room * 0.46), buffer_height = std::floor(room * 0.27);
  const Lane rate_lane{kTitle, kTitle + rates_height, model_.most_megabits};
  const Lane buffer_lane{rate_lane.bottom + kTitle, rate_lane.bottom + kTitle + buffer_height, model_.most_buffer};
  const Lane quality_lane{buffer_lane.bottom + kTitle, height_ - kAxis,
                          std::max<double>(1, static_cast<double>(qualities_.size()))};
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  time_axis(rate_lane, quality_lane);
  stalls(rate_lane, quality_lane);
  title(rate_lane, _("Links, Mbit/s"));
  scale(rate_lane);
  rates(rate_lane);
  title(buffer_lane, _("Video ready, seconds"));
  scale(buffer_lane);
  buffer(buffer_lane);
  title(quality_lane, _("Quality"));
  steps(quality_lane);
  if (!pointed || *pointed < left_) return;
  const ChartModel::Moment* nearest = model_.nearest(((*pointed - left_) / (right_ - left_) - 1) * model_.seconds);
  if (nearest != nullptr) moment(*nearest, rate_lane, quality_lane);
}

double ChartPainter::text_width(const std::string& text) const {
  pango_layout_set_text(layout_.get(), text.c_str(), -1);
  int width = 0;
  pango_layout_get_pixel_size(layout_.get(), &width, nullptr);
  return width;
}

void ChartPainter::text(const std::string& text, double x, double y, Align align, double opacity) {
  const double width = text_width(text);
  int height = 0;
  pango_layout_get_pixel_size(layout_.get(), nullptr, &height);
  const double from = align == Align::kLeft ? x : align == Align::kRight ? x - width : x - width / 2;
  foreground(opacity);
  cairo_move_to(cairo_, std::round(from), std::round(y - height / 2.0));
  pango_cairo_show_layout(cairo_, layout_.get());
}

void ChartPainter::colour(const GdkRGBA& rgba, double opacity) {
  cairo_set_source_rgba(cairo_, rgba.red, rgba.green, rgba.blue, rgba.alpha * opacity);
}

/// Places the line on pixels, so that it is sharp.
void ChartPainter::line(double x0, double y0, double x1, double y1) {
  cairo_set_line_width(cairo_, 1);
  cairo_move_to(cairo_, std::floor(x0) + 0.5, std::floor(y0) + 0.5);
  cairo_line_to(cairo_, std::floor(x1) + 0.5, std::floor(y1) + 0.5);
  cairo_stroke(cairo_);
}

void ChartPainter::title(const Lane& lane, const char* title) {
  text(title, left_, lane.top - kTitle / 2, Align::kLeft, 0.9);
}

void ChartPainter::scale(const Lane& lane) {
  for (const double part : {0.0, 0.5, 1.0}) {
    const double y = lane.y(part * lane.most);
    foreground(part == 0 ? 0.35 : 0.12);
    line(left_, y, right_, y);
    if (part == 0.5) continue;
    text(axis_text(part * lane.most), left_ - kMargin, y, Align::kRight);
  }
}

void ChartPainter::time_axis(const Lane& first, const Lane& last) {
  const double label_y = last.bottom + kAxis / 2 + 2;
  for (const double seconds : time_ticks(model_.seconds)) {
    foreground(0.1);
    line(x(seconds), first.top, x(seconds), last.bottom);
    if (seconds == 0) {
      text(_("now"), right_, label_y, Align::kRight);
    } else {
      const std::string label = std::fmod(seconds, 60) == 0 ? say(_("{} min"), number_text(seconds / 60, 0))
                                                            : say(_("{} s"), number_text(seconds, 0));
      const bool at_the_edge = x(seconds) < left_ + 12;
      text(label, x(seconds), label_y, at_the_edge ? Align::kLeft : Align::kCentre);
    }
  }
}

void ChartPainter::stalls(const Lane& first, const Lane& last) {
  for (const ChartModel::Span& span : model_.stalls) {
    constexpr double kNarrowest = 2;
    const double from = std::max(x(span.from), left_);
    const double width = std::max(kNarrowest, x(span.to) - from);
    colour(kStall, dark_ ? 0.45 : 0.25);
    cairo_rectangle(cairo_, from, first.top, width, last.bottom - first.top);
    cairo_fill(cairo_);
  }
}

void ChartPainter::rates(const Lane& lane) {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, left_, lane.top - 1, right_ - left_, lane.bottom - lane.top + 1);
  cairo_clip(cairo_);
  for (const ChartModel::Area& area : model_.areas) {
    if (area.upper.empty()) continue;
    const GdkRGBA rgba = link_colour(area.link, dark_);
    for (const auto& point : area.upper) cairo_line_to(cairo_, x(point.x), lane.y(point.y));
    for (std::size_t i = area.upper.size(); i-- > 0;) {
      cairo_line_to(cairo_, x(area.upper[i].x), lane.y(area.lower[i]));
    }
    cairo_close_path(cairo_);
    colour(rgba, dark_ ? 0.55 : 0.45);
    cairo_fill(cairo_);
    for (const auto& point : area.upper) cairo_line_to(cairo_, x(point.x), lane.y(point.y));
    colour(rgba, 1);
    cairo_set_line_width(cairo_, 1.5);
    cairo_stroke(cairo_);
  }
  cairo_restore(cairo_);
}

void ChartPainter::buffer(const Lane& lane) {
  if (model_.buffer.empty()) return;
  cairo_save(cairo_);
  cairo_rectangle(cairo_, left_, lane.top - 1, right_ - left_, lane.bottom - lane.top + 1);
  cairo_clip(cairo_);
  for (const auto& point : model_.buffer) cairo_line_to(cairo_, x(point.x), lane.y(point.y));
  cairo_path_t* path = cairo_copy_path(cairo_);
  cairo_line_to(cairo_, x(model_.buffer.back().x), lane.bottom);
  cairo_line_to(cairo_, x(model_.buffer.front().x), lane.bottom);
  cairo_close_path(cairo_);
  foreground(0.12);
  cairo_fill(cairo_);
  cairo_append_path(cairo_, path);
  cairo_path_destroy(path);
  foreground(0.75);
  cairo_set_line_width(cairo_, 1.5);
  cairo_stroke(cairo_);
  cairo_restore(cairo_);
}

void ChartPainter::steps(const Lane& lane) {
  const double row = (lane.bottom - lane.top) / lane.most;
  constexpr double kLeast = 13;  // height of a row that has room for a name
  for (std::size_t i = 0; i < qualities_.size(); ++i) {
    const double y = lane.y(static_cast<double>(i) + 0.5);
    foreground(0.12);
    line(left_, y, right_, y);
    const bool room = row >= kLeast || i == 0 || i + 1 == qualities_.size();
    if (room) text(qualities_[i], left_ - kMargin, y, Align::kRight);
  }
  cairo_save(cairo_);
  cairo_rectangle(cairo_, left_, lane.top, right_ - left_, lane.bottom - lane.top);
  cairo_clip(cairo_);
  for (const ChartModel::Step& step : model_.steps) {
    const double y = std::floor(lane.y(static_cast<double>(to_index(step.quality)) + 0.5)) + 0.5;
    cairo_line_to(cairo_, x(step.from), y);
    cairo_line_to(cairo_, x(step.to), y);
  }
  foreground(0.9);
  cairo_set_line_width(cairo_, 2.5);
  cairo_stroke(cairo_);
  cairo_restore(cairo_);
}

void ChartPainter::moment(const ChartModel::Moment& moment, const Lane& first, const Lane& last) {
  foreground(0.6);
  line(x(moment.x), first.top, x(moment.x), last.bottom);
  std::vector<std::string> rows{say(_("{} s ago"), number_text(-moment.x, 0))};
  for (std::size_t i = 0; i < model_.areas.size(); ++i) {
    rows.push_back(say(_("{}: {} Mbit/s"), model_.areas[i].name, number_text(moment.megabits[i], 1)));
  }
  rows.push_back(say(_("Ready: {} s"), number_text(moment.buffered_s, 1)));
  if (moment.quality && to_index(*moment.quality) < qualities_.size()) {
    rows.push_back(say(_("Quality: {}"), qualities_[to_index(*moment.quality)]));
  }
  if (moment.stalled) rows.emplace_back(_("The picture stood still"));
  constexpr double kRow = 16, kPadding = 8;
  double width = 0;
  for (const std::string& row : rows) width = std::max(width, text_width(row));
  width += 2 * kPadding;
  const double height = kRow * static_cast<double>(rows.size()) + kPadding;
  const bool left_of_it = x(moment.x) + width + kPadding > right_;
  const double from = left_of_it ? x(moment.x) - width - kPadding : x(moment.x) + kPadding;
  cairo_rectangle(cairo_, from, first.top, width, height);
  cairo_set_source_rgba(cairo_, dark_ ? 0.14 : 1, dark_ ? 0.14 : 1, dark_ ? 0.14 : 1, 0.94);
  cairo_fill_preserve(cairo_);
  foreground(0.3);
  cairo_set_line_width(cairo_, 1);
  cairo_stroke(cairo_);
  double y = first.top + kPadding / 2 + kRow / 2;
  for (const std::string& row : rows) {
    text(row, from + kPadding, y, Align::kLeft, 0.95);
    y += kRow;
  }
}

}  // namespace tributary::play
