#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <vector>

#include "apps/play/glib/g_handles.hh"

namespace tributary::play {

/// Shows the controls when the pointer moves, and hides them, and the pointer, when it rests.
class AutoHide {
 public:
  struct Calls {
    std::function<bool()> may_hide;  // nothing is going on that needs them
    std::function<void(bool shown)> changed;
  };

  /// `area`: where the pointer counts.
  AutoHide(GtkWidget* area, Calls calls);

  /// The pointer does not hide them while it is over one of these.
  void keep_for(GtkWidget* widget);
  void show();
  bool shown() const { return shown_; }

 private:
  void moved(double x, double y);
  void hide_if_allowed();

  GtkWidget* area_;
  Calls calls_;
  bool shown_ = true;
  int inside_ = 0;  // of the widgets to keep for
  double x_ = -1, y_ = -1;
  Timer rest_;
  Signals signals_;
};

}  // namespace tributary::play
