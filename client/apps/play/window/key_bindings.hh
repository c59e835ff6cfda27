#pragma once

#include <gdk/gdk.h>

#include <span>
#include <string>

namespace tributary::play {

/// A key and the action of the window that it stands for.
struct KeyBinding {
  enum class Group { kPlayback, kSeeking, kPicture, kSound, kWindow };

  const char* key;     // as gtk_accelerator_parse() reads it: "<Shift>Left"
  const char* action;  // "seek(5.0)", as Actions::activate() takes it
  Group group;
  const char* what;  // untranslated; null: the same as the binding before it
};

/// Those of mpv, and those of the desktop.
std::span<const KeyBinding> key_bindings();

/// The action of a key as it was pressed; null if it has none. Which keys give "#" or "[" is the keyboard's affair:
/// for characters, only the character counts.
const char* action_of_key(guint key, GdkModifierType modifiers);

/// GtkBuilder's description of a window that shows them all, in the user's language.
std::string shortcuts_window_description();

}  // namespace tributary::play
