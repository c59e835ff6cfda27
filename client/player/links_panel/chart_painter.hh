#pragma once

#include <gtk/gtk.h>

#include <optional>
#include <string>
#include <vector>

#include "player/glib/g_handles.hh"
#include "player/links_panel/chart_model.hh"

namespace tributary::play {

/// Draws a chart once, in the colours and the font of the widget, light or dark.
class ChartPainter {
 public:
  ChartPainter(cairo_t* cairo, GtkWidget* widget, const ChartModel& model, const std::vector<std::string>& qualities,
               int width, int height);

  /// `pointed`: the place of the pointer, in pixels from the left.
  void paint(std::optional<double> pointed);

 private:
  /// A horizontal strip with a y axis of its own.
  struct Lane {
    double top, bottom;
    double most;  // the value at the top
    double y(double value) const { return bottom - value / most * (bottom - top); }
  };
  enum class Align { kLeft, kCentre, kRight };

  double x(double seconds) const { return left_ + (1 + seconds / model_.seconds) * (right_ - left_); }
  double text_width(const std::string& text) const;
  void text(const std::string& text, double x, double y, Align align, double opacity = kFaint);
  void colour(const GdkRGBA& rgba, double opacity);
  void foreground(double opacity) { colour(foreground_, opacity); }
  void line(double x0, double y0, double x1, double y1);
  void title(const Lane& lane, const char* title);
  void scale(const Lane& lane);
  void stalls(const Lane& first, const Lane& last);
  void time_axis(const Lane& first, const Lane& last);
  void rates(const Lane& lane);
  void buffer(const Lane& lane);
  void steps(const Lane& lane);
  void moment(const ChartModel::Moment& moment, const Lane& first, const Lane& last);

  static constexpr double kFaint = 0.65;

  cairo_t* cairo_;
  const ChartModel& model_;
  const std::vector<std::string>& qualities_;
  bool dark_;
  GdkRGBA foreground_{}, background_{};
  Ref<PangoLayout> layout_;
  double left_, right_, height_;
};

}  // namespace tributary::play
