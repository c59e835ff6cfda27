#include "player/window/seek_bar.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

/// After this rest of the pointer, a drag becomes a seek.
constexpr guint kSettleMilliseconds = 150;
/// During this time the bar keeps its place, because the player still reports the old position.
constexpr guint kHoldMilliseconds = 400;
constexpr int kLongestName = 32;  // of a chapter, in characters

}  // namespace

SeekBar::SeekBar(Seek seek)
    : seek_{std::move(seek)},
      scale_{gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 5)},
      bubble_{gtk_popover_new()},
      picture_{gtk_picture_new()},
      time_{gtk_label_new("")} {
  gtk_widget_add_css_class(scale_, "seek");
  gtk_scale_set_draw_value(GTK_SCALE(scale_), FALSE);
  gtk_range_set_show_fill_level(GTK_RANGE(scale_), TRUE);
  gtk_range_set_restrict_to_fill_level(GTK_RANGE(scale_), FALSE);
  gtk_range_set_increments(GTK_RANGE(scale_), 5, 60);
  gtk_widget_set_focus_on_click(scale_, FALSE);
  gtk_widget_set_hexpand(scale_, TRUE);
  gtk_picture_set_can_shrink(GTK_PICTURE(picture_), FALSE);
  gtk_widget_add_css_class(time_, "numeric");
  gtk_label_set_justify(GTK_LABEL(time_), GTK_JUSTIFY_CENTER);
  gtk_label_set_ellipsize(GTK_LABEL(time_), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars(GTK_LABEL(time_), kLongestName);
  gtk_popover_set_child(GTK_POPOVER(bubble_), column_of(4, {picture_, time_}));
  gtk_popover_set_autohide(GTK_POPOVER(bubble_), FALSE);
  gtk_popover_set_has_arrow(GTK_POPOVER(bubble_), FALSE);
  gtk_popover_set_position(GTK_POPOVER(bubble_), GTK_POS_TOP);
  gtk_widget_set_can_focus(bubble_, FALSE);
  gtk_widget_set_can_target(bubble_, FALSE);
  gtk_widget_add_css_class(bubble_, "bubble");
  gtk_widget_set_parent(bubble_, scale_);
  GtkEventController* motion = gtk_event_controller_motion_new();
  gtk_widget_add_controller(scale_, motion);
  gtk_accessible_update_property(GTK_ACCESSIBLE(scale_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Position"), -1);
  signals_.on<gboolean(GtkRange*, GtkScrollType, double)>(
      scale_, "change-value", [this](GtkRange*, GtkScrollType, double value) { return change(value); });
  for (const char* const moved : {"enter", "motion"})
    signals_.on<void(GtkEventController*, double, double)>(
        motion, moved, [this](GtkEventController*, double x, double) { point_at(x); });
  signals_.on<void(GtkEventController*)>(motion, "leave", [this](GtkEventController*) { leave(); });
  g_signal_connect_swapped(scale_, "destroy", G_CALLBACK(gtk_widget_unparent), bubble_);
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
  if (other_skips) draw_marks();
  if (pointer_ && !is_under_pointer()) leave();
}

/// Another window may have come above this one, or this one may have become smaller, without a word.
bool SeekBar::is_under_pointer() const {
  GtkRoot* const root = gtk_widget_get_root(scale_);
  return *pointer_ <= gtk_widget_get_width(scale_) && GTK_IS_WINDOW(root) &&
         gtk_window_is_active(GTK_WINDOW(root)) != FALSE;
}

void SeekBar::leave() {
  pointer_.reset();
  gtk_popover_popdown(GTK_POPOVER(bubble_));
}

void SeekBar::show_chapters(std::vector<Chapter> chapters) {
  chapters_ = std::move(chapters);
  draw_marks();
}

void SeekBar::draw_marks() {
  gtk_scale_clear_marks(GTK_SCALE(scale_));
  for (const Duration skip : view_.skips) {
    if (skip >= view_.begin) gtk_scale_add_mark(GTK_SCALE(scale_), to_seconds(skip), GTK_POS_TOP, nullptr);
  }
  for (const Chapter& chapter : chapters_) {
    if (chapter.start > Duration{})
      gtk_scale_add_mark(GTK_SCALE(scale_), to_seconds(chapter.start), GTK_POS_BOTTOM, nullptr);
  }
}

std::string SeekBar::bubble_text(Duration position) const {
  const auto behind = std::ranges::upper_bound(chapters_, position, {}, &Chapter::start);
  if (behind == chapters_.begin()) return time_text(position);
  const auto chapter = behind - 1;
  const std::string name = chapter_text(*chapter, static_cast<std::size_t>(chapter - chapters_.begin()));
  return fmt::format("{}\n{}", name, time_text(position));
}

std::string SeekBar::time_text(Duration position) const {
  if (!view_.live) return clock_text(position);
  const Duration behind = view_.end - position;
  return behind < std::chrono::seconds{1} ? _("Live") : say(_("{} behind live"), clock_text(behind));
}

void SeekBar::point_at(double x) {
  pointer_ = x;
  show_bubble();
}

void SeekBar::thumbnail_arrived() {
  if (pointer_) show_bubble();
}

void SeekBar::show_bubble() {
  GdkRectangle trough;
  gtk_range_get_range_rect(GTK_RANGE(scale_), &trough);
  if (trough.width <= 0 || view_.end <= view_.begin) return;
  const double part = std::clamp((*pointer_ - trough.x) / static_cast<double>(trough.width), 0.0, 1.0);
  const Duration position = view_.begin + from_seconds(part * to_seconds(view_.end - view_.begin));
  const Ref<GdkTexture> picture = thumbnail_ ? thumbnail_(position) : Ref<GdkTexture>{};
  // Until the picture of another sheet is here, the last one is kept unseen: the bubble keeps its size.
  if (picture) gtk_picture_set_paintable(GTK_PICTURE(picture_), GDK_PAINTABLE(picture.get()));
  gtk_widget_set_visible(picture_, gtk_picture_get_paintable(GTK_PICTURE(picture_)) != nullptr);
  gtk_widget_set_opacity(picture_, picture ? 1 : 0);
  gtk_label_set_text(GTK_LABEL(time_), bubble_text(position).c_str());
  const GdkRectangle here{static_cast<int>(*pointer_), 0, 1, gtk_widget_get_height(scale_)};
  gtk_popover_set_pointing_to(GTK_POPOVER(bubble_), &here);
  gtk_popover_popup(GTK_POPOVER(bubble_));
}

void SeekBar::show_thumbnails(Thumbnail thumbnail) {
  thumbnail_ = std::move(thumbnail);
  gtk_picture_set_paintable(GTK_PICTURE(picture_), nullptr);
}

}  // namespace tributary::play
