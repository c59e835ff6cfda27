#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <vector>

#include "player/glib/g_handles.hh"

namespace tributary::play {

/// Shows the controls when the pointer moves; hides controls and pointer when it rests.
class AutoHide {
 public:
  struct Calls {
    std::function<bool()> may_hide;  // false while the controls are needed
    std::function<void(bool shown)> changed;
  };

  /// Only movements within `area` count.
  AutoHide(GtkWidget* area, Calls calls);

  /// The controls stay while the pointer is over the widget.
  void keep_for(GtkWidget* widget);
  void show();
  bool shown() const { return shown_; }

 private:
  void moved(double x, double y);
  void hide_if_allowed();

  GtkWidget* area_;
  Calls calls_;
  bool shown_ = true;
  int inside_ = 0;  // number of such widgets under the pointer
  double x_ = -1, y_ = -1;
  Timer rest_;
  Signals signals_;
};

}  // namespace tributary::play
