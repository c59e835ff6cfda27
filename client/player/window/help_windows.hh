#pragma once

#include <gtk/gtk.h>

namespace tributary::play {

void show_shortcuts(GtkWindow* parent);
void show_about(GtkWindow* parent);

}  // namespace tributary::play
