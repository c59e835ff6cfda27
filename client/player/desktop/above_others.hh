#pragma once

#include <gtk/gtk.h>

namespace tributary::play {

/// Whether the desktop lets a program keep its window above all others: that of X11 does, Wayland leaves it to the user.
bool can_stay_above(GtkWindow* window);

/// Keeps the window above all others and on all workspaces, or no longer (EWMH, _NET_WM_STATE). It must be shown.
void stay_above(GtkWindow* window, bool on);

}  // namespace tributary::play
