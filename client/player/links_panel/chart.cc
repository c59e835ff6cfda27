#include "player/links_panel/chart.hh"

#include <adwaita.h>

#include "player/links_panel/chart_painter.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

/// The content of the chart in words, for screen readers.
std::string described(const ChartModel& model, const std::vector<std::string>& qualities) {
  if (model.moments.empty()) return _("Nothing has been measured yet");
  const ChartModel::Moment& last = model.moments.back();
  std::string text = say(_("Now: {} s of video are ready."), number_text(last.buffered_s, 0));
  for (std::size_t i = 0; i < model.areas.size(); ++i) {
    text += " " + say(_("{} brings {} Mbit/s."), model.areas[i].name, number_text(last.megabits[i], 1));
  }
  if (last.quality && to_index(*last.quality) < qualities.size()) {
    text += " " + say(_("The quality is {}."), qualities[to_index(*last.quality)]);
  }
  return text;
}

}  // namespace

Chart::Chart()
    : area_{GTK_WIDGET(g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, nullptr))} {
  constexpr int kHeight = 330, kWidth = 240;
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area_), kHeight);
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area_), kWidth);
  gtk_widget_set_hexpand(area_, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(area_), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Chart of links, buffer and quality"), -1);
  gtk_drawing_area_set_draw_func(
      GTK_DRAWING_AREA(area_),
      [](GtkDrawingArea*, cairo_t* cairo, int width, int height, gpointer self) {
        static_cast<const Chart*>(self)->draw(cairo, width, height);
      },
      this, nullptr);
  GtkEventController* motion = gtk_event_controller_motion_new();
  signals_.on<void(GtkEventControllerMotion*, double, double)>(
      motion, "motion", [this](GtkEventControllerMotion*, double x, double) { point_at(x); });
  signals_.on<void(GtkEventControllerMotion*)>(motion, "leave",
                                               [this](GtkEventControllerMotion*) { point_at(std::nullopt); });
  gtk_widget_add_controller(area_, motion);
  signals_.on_notify(adw_style_manager_get_default(), "dark", [this] { gtk_widget_queue_draw(area_); });
}

void Chart::show(ChartModel model, const std::vector<std::string>& qualities) {
  model_ = std::move(model);
  qualities_ = qualities;
  gtk_accessible_update_property(GTK_ACCESSIBLE(area_), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 described(model_, qualities_).c_str(), -1);
  gtk_widget_queue_draw(area_);
}

void Chart::point_at(std::optional<double> pixel) {
  pointed_ = pixel;
  gtk_widget_queue_draw(area_);
}

void Chart::draw(cairo_t* cairo, int width, int height) const {
  ChartPainter painter{cairo, area_, model_, qualities_, width, height};
  painter.paint(pointed_);
}

}  // namespace tributary::play
