#include "apps/play/window/seek_bar.hh"

#include <algorithm>
#include <cmath>

#include "apps/play/texts/quantity_texts.hh"
#include "apps/play/texts/translation.hh"
#include "apps/play/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

/// After this rest of the pointer, a drag becomes a seek.
constexpr guint kSettleMilliseconds = 150;
/// During this time the bar keeps its place, because the player still reports the old position.
constexpr guint kHoldMilliseconds = 400;

}  // namespace

SeekBar::SeekBar(Seek seek)
    : seek_{std::move(seek)},
      scale_{gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 5)},
      picture_{gtk_picture_new()},
      time_{gtk_label_new("")},
      picture_and_time_{Ref<GtkWidget>::share(column_of(4, {picture_, time_}))} {
  gtk_widget_add_css_class(scale_, "seek");
  gtk_scale_set_draw_value(GTK_SCALE(scale_), FALSE);
  gtk_range_set_show_fill_level(GTK_RANGE(scale_), TRUE);
  gtk_range_set_restrict_to_fill_level(GTK_RANGE(scale_), FALSE);
  gtk_range_set_increments(GTK_RANGE(scale_), 5, 60);
  gtk_widget_set_focus_on_click(scale_, FALSE);
  gtk_widget_set_hexpand(scale_, TRUE);
  gtk_widget_set_has_tooltip(scale_, TRUE);
  gtk_picture_set_can_shrink(GTK_PICTURE(picture_), FALSE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(scale_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Position"), -1);
  signals_.on<gboolean(GtkRange*, GtkScrollType, double)>(
      scale_, "change-value", [this](GtkRange*, GtkScrollType, double value) { return change(value); });
  signals_.on<gboolean(GtkWidget*, int, int, gboolean, GtkTooltip*)>(
      scale_, "query-tooltip",
      [this](GtkWidget*, int x, int, gboolean, GtkTooltip* shown) { return tooltip(x, shown); });
}

gboolean SeekBar::change(double seconds) {
  wanted_ = std::clamp(from_seconds(seconds), view_.begin, view_.end);
  gtk_range_set_value(GTK_RANGE(scale_), to_seconds(*wanted_));
  settle_.once(kSettleMilliseconds, [this] {
    hold_.once(kHoldMilliseconds, [this] { wanted_.reset(); });
    seek_(*wanted_);
  });
  return TRUE;
}

void SeekBar::show(const PlaybackView& view) {
  const bool other_skips = view.skips != view_.skips;
  view_ = view;
  gtk_range_set_range(GTK_RANGE(scale_), to_seconds(view.begin),
                      std::max(to_seconds(view.end), to_seconds(view.begin) + 0.001));
  gtk_range_set_fill_level(GTK_RANGE(scale_),
                           to_seconds(std::clamp(view.ready_until, view.begin, std::max(view.begin, view.end))));
  if (!wanted_) gtk_range_set_value(GTK_RANGE(scale_), to_seconds(view.position));
  gtk_widget_set_sensitive(scale_, view.end > view.begin);
  const std::string now = time_text(wanted_.value_or(view.position));
  gtk_accessible_update_property(GTK_ACCESSIBLE(scale_), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, now.c_str(), -1);
  if (!other_skips) return;
  gtk_scale_clear_marks(GTK_SCALE(scale_));
  for (const Duration skip : view.skips) {
    if (skip >= view.begin) gtk_scale_add_mark(GTK_SCALE(scale_), to_seconds(skip), GTK_POS_TOP, nullptr);
  }
}

std::string SeekBar::time_text(Duration position) const {
  if (!view_.live) return clock_text(position);
  const Duration behind = view_.end - position;
  return behind < std::chrono::seconds{1} ? _("Live") : say(_("{} behind live"), clock_text(behind));
}

gboolean SeekBar::tooltip(int x, GtkTooltip* tooltip) const {
  GdkRectangle trough;
  gtk_range_get_range_rect(GTK_RANGE(scale_), &trough);
  if (trough.width <= 0 || view_.end <= view_.begin) return FALSE;
  const double part = std::clamp((x - trough.x) / static_cast<double>(trough.width), 0.0, 1.0);
  const Duration position = view_.begin + from_seconds(part * to_seconds(view_.end - view_.begin));
  set_tooltip(tooltip, position);
  return TRUE;
}

void SeekBar::set_tooltip(GtkTooltip* tooltip, Duration position) const {
  const std::string time = time_text(position);
  const Ref<GdkTexture> picture = thumbnail_ ? thumbnail_(position) : Ref<GdkTexture>{};
  if (!picture) return gtk_tooltip_set_text(tooltip, time.c_str());
  gtk_picture_set_paintable(GTK_PICTURE(picture_), GDK_PAINTABLE(picture.get()));
  gtk_label_set_text(GTK_LABEL(time_), time.c_str());
  gtk_tooltip_set_custom(tooltip, picture_and_time_.get());
}

void SeekBar::show_thumbnails(Thumbnail thumbnail) {
  thumbnail_ = std::move(thumbnail);
  gtk_picture_set_paintable(GTK_PICTURE(picture_), nullptr);
}

}  // namespace tributary::play
