#pragma once

#include <gtk/gtk.h>

#include <optional>

#include "player/glib/g_handles.hh"
#include "player/links_panel/chart_model.hh"

namespace tributary::play {

/// Draws the rate of each link, the buffer and the quality over the same time, one below the other. Stalls are bands
/// through all three. If the user points at a moment, shows its figures.
class Chart {
 public:
  Chart();

  GtkWidget* widget() const { return area_; }
  /// `qualities`: names by QualityIndex, lowest first.
  void show(ChartModel model, const std::vector<std::string>& qualities);

 private:
  void draw(cairo_t* cairo, int width, int height) const;
  void point_at(std::optional<double> pixel);

  GtkWidget* area_;
  ChartModel model_;
  std::vector<std::string> qualities_;
  std::optional<double> pointed_;  // pixels from the left
  Signals signals_;
};

}  // namespace tributary::play
