#pragma once

#include <gtk/gtk.h>

#include <functional>

#include "apps/play/memory/preferences.hh"

namespace tributary::play {

struct PreferencesCalls {
  std::function<void(const Preferences&)> changed;  // after each change
  std::function<void()> forget_films, forget_links;
};

/// Shows a window in which preferences are changed, beginning with those of now.
void show_preferences(GtkWindow* parent, const Preferences& now, PreferencesCalls calls);

}  // namespace tributary::play
