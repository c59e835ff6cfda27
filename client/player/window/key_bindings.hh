#pragma once

#include <gdk/gdk.h>

#include <span>
#include <string>

namespace tributary::play {

/// A key and its action of the window.
struct KeyBinding {
  enum class Group { kPlayback, kSeeking, kPicture, kSound, kWindow };

  const char* key;     // for gtk_accelerator_parse(): "<Shift>Left"
  const char* action;  // for Actions::activate(): "seek(5.0)"
  Group group;
  const char* what;  // untranslated; null: the same as the binding before it
};

/// The bindings of mpv, and the usual ones of the desktop.
std::span<const KeyBinding> key_bindings();

/// The action of a pressed key; null if it has none. Keyboards make "#" or "[" with different keys, so for characters
/// only the character counts.
const char* action_of_key(guint key, GdkModifierType modifiers);

/// GtkBuilder's description of a window that lists all bindings, in the user's language.
std::string shortcuts_window_description();

}  // namespace tributary::play
