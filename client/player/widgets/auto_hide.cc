#include "player/widgets/auto_hide.hh"

#include <cmath>

namespace tributary::play {
namespace {

constexpr guint kRestMilliseconds = 2500;

}  // namespace

AutoHide::AutoHide(GtkWidget* area, Calls calls) : area_{area}, calls_{std::move(calls)} {
  GtkEventController* motion = gtk_event_controller_motion_new();
  gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE);
  signals_.on<void(GtkEventControllerMotion*, double, double)>(
      motion, "motion", [this](GtkEventControllerMotion*, double x, double y) { moved(x, y); });
  gtk_widget_add_controller(area_, motion);
  rest_.once(kRestMilliseconds, [this] { hide_if_allowed(); });
}

void AutoHide::keep_for(GtkWidget* widget) {
  GtkEventController* motion = gtk_event_controller_motion_new();
  signals_.on<void(GtkEventControllerMotion*, double, double)>(
      motion, "enter", [this](GtkEventControllerMotion*, double, double) { ++inside_; });
  signals_.on<void(GtkEventControllerMotion*)>(motion, "leave", [this](GtkEventControllerMotion*) {
    if (inside_ > 0) --inside_;
  });
  gtk_widget_add_controller(widget, motion);
}

/// Ignores tiny movements: a window that moves or grows reports those, too.
void AutoHide::moved(double x, double y) {
  constexpr double kLeast = 2;
  if (std::hypot(x - x_, y - y_) < kLeast) return;
  x_ = x;
  y_ = y;
  show();
}

void AutoHide::show() {
  if (!shown_) {
    shown_ = true;
    gtk_widget_set_cursor(area_, nullptr);
    calls_.changed(true);
  }
  rest_.once(kRestMilliseconds, [this] { hide_if_allowed(); });
}

void AutoHide::hide_if_allowed() {
  if (inside_ > 0 || !calls_.may_hide()) {
    rest_.once(kRestMilliseconds, [this] { hide_if_allowed(); });
    return;
  }
  shown_ = false;
  const Ref<GdkCursor> none = Ref<GdkCursor>::take(gdk_cursor_new_from_name("none", nullptr));
  gtk_widget_set_cursor(area_, none.get());
  calls_.changed(false);
}

}  // namespace tributary::play
