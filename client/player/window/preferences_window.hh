#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/links/link_use.hh"
#include "player/memory/preferences.hh"

namespace tributary::play {

struct PreferencesCalls {
  std::function<void(const Preferences&)> changed;  // after each change
  std::function<void()> forget_films;
  /// Nothing: the user is asked again.
  std::function<void(const std::string& network, std::optional<LinkUse> use)> decide;
};

/// In all windows of the program.
void show_colours(Preferences::Colours colours);

/// Shows a window in which preferences are changed, beginning with those of now. `networks`: what was decided about those
/// that cost something.
void show_preferences(GtkWindow* parent, const Preferences& now, const std::map<std::string, LinkUse>& networks,
                      PreferencesCalls calls);

}  // namespace tributary::play
