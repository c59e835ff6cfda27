#include "player/window/key_bindings.hh"

#include <gtk/gtk.h>

#include <array>
#include <utility>

#include "player/glib/g_handles.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

using Group = KeyBinding::Group;

constexpr auto kBindings = std::to_array<KeyBinding>({
    {"space", "pause", Group::kPlayback, N_("Play or pause")},
    {"p", "pause", Group::kPlayback, nullptr},
    {"XF86AudioPlay", "pause", Group::kPlayback, nullptr},  // if no desktop turns the key into MPRIS
    {"XF86AudioPause", "pause", Group::kPlayback, nullptr},
    {"period", "step(1.0)", Group::kPlayback, N_("Next frame")},
    {"comma", "step(-1.0)", Group::kPlayback, N_("Previous frame")},
    {"bracketright", "speed-by(1.1)", Group::kPlayback, N_("Faster")},
    {"bracketleft", "speed-by(0.9090909)", Group::kPlayback, N_("Slower")},
    {"braceright", "speed-by(2.0)", Group::kPlayback, N_("Twice as fast")},
    {"braceleft", "speed-by(0.5)", Group::kPlayback, N_("Half as fast")},
    {"BackSpace", "speed(1.0)", Group::kPlayback, N_("Usual speed")},
    {"<Shift>l", "loop", Group::kPlayback, N_("Loop")},
    {"l", "loop", Group::kPlayback, nullptr},
    {"greater", "next-title(1.0)", Group::kPlayback, N_("Next in the playlist")},
    {"XF86AudioNext", "next-title(1.0)", Group::kPlayback, nullptr},
    {"less", "next-title(-1.0)", Group::kPlayback, N_("Previous in the playlist")},
    {"XF86AudioPrev", "next-title(-1.0)", Group::kPlayback, nullptr},
    {"Right", "seek(5.0)", Group::kSeeking, N_("5 seconds forward")},
    {"Left", "seek(-5.0)", Group::kSeeking, N_("5 seconds back")},
    {"<Shift>Right", "seek(1.0)", Group::kSeeking, N_("1 second forward")},
    {"<Shift>Left", "seek(-1.0)", Group::kSeeking, N_("1 second back")},
    {"Up", "seek(60.0)", Group::kSeeking, N_("1 minute forward")},
    {"Down", "seek(-60.0)", Group::kSeeking, N_("1 minute back")},
    {"<Shift>Up", "seek(5.0)", Group::kSeeking, N_("5 seconds forward")},
    {"<Shift>Down", "seek(-5.0)", Group::kSeeking, N_("5 seconds back")},
    {"Page_Up", "seek(600.0)", Group::kSeeking, N_("10 minutes forward")},
    {"Page_Down", "seek(-600.0)", Group::kSeeking, N_("10 minutes back")},
    {"at", "chapter(1.0)", Group::kSeeking, N_("Next chapter")},
    {"exclam", "chapter(-1.0)", Group::kSeeking, N_("Previous chapter")},
    {"Home", "position(0.0)", Group::kSeeking, N_("To the beginning")},
    {"End", "live", Group::kSeeking, N_("To the live edge")},
    {"f", "fullscreen", Group::kPicture, N_("Fullscreen")},
    {"F11", "fullscreen", Group::kPicture, nullptr},
    {"<Shift>t", "small", Group::kPicture, N_("Picture in picture")},
    {"Escape", "leave-fullscreen", Group::kPicture, N_("Leave fullscreen, or cancel opening")},
    {"j", "next-text(1.0)", Group::kPicture, N_("Next subtitle track")},
    {"<Shift>j", "next-text(-1.0)", Group::kPicture, N_("Previous subtitle track")},
    {"v", "text-shown", Group::kPicture, N_("Hide or show subtitles")},
    {"x", "text-later(0.1)", Group::kPicture, N_("Subtitles later")},
    {"<Shift>z", "text-later(0.1)", Group::kPicture, nullptr},
    {"z", "text-later(-0.1)", Group::kPicture, N_("Subtitles earlier")},
    {"s", "screenshot", Group::kPicture, N_("Screenshot")},
    {"<Shift>s", "screenshot", Group::kPicture, nullptr},
    {"0", "volume-by(2.0)", Group::kSound, N_("Louder")},
    {"asterisk", "volume-by(2.0)", Group::kSound, nullptr},
    {"KP_Multiply", "volume-by(2.0)", Group::kSound, nullptr},
    {"9", "volume-by(-2.0)", Group::kSound, N_("Quieter")},
    {"slash", "volume-by(-2.0)", Group::kSound, nullptr},
    {"KP_Divide", "volume-by(-2.0)", Group::kSound, nullptr},
    {"m", "mute", Group::kSound, N_("Mute")},
    {"numbersign", "next-sound", Group::kSound, N_("Next audio track")},
    {"<Control>plus", "sound-later(0.1)", Group::kSound, N_("Audio later")},
    {"<Control>minus", "sound-later(-0.1)", Group::kSound, N_("Audio earlier")},
    {"i", "links", Group::kWindow, N_("What each link carries")},
    {"F9", "links", Group::kWindow, nullptr},
    {"o", "show-controls", Group::kWindow, N_("Show the controls")},
    {"<Shift>p", "show-controls", Group::kWindow, nullptr},
    {"<Control>o", "open-address", Group::kWindow, N_("Open an address")},
    {"<Control>l", "open-address", Group::kWindow, nullptr},
    {"<Control><Shift>o", "open-file", Group::kWindow, N_("Open a file")},
    {"<Control>v", "paste", Group::kWindow, N_("Open the copied address")},
    {"<Control>c", "copy-address", Group::kWindow, N_("Copy the address")},
    {"<Control>comma", "preferences", Group::kWindow, N_("Preferences")},
    {"F8", "playlist", Group::kWindow, N_("Playlist")},
    {"F10", "menu", Group::kWindow, N_("Menu")},
    {"question", "shortcuts", Group::kWindow, N_("Keyboard shortcuts")},
    {"<Control>question", "shortcuts", Group::kWindow, nullptr},
    {"F1", "shortcuts", Group::kWindow, nullptr},
    {"q", "quit", Group::kWindow, N_("Quit")},
    {"<Shift>q", "quit-remember", Group::kWindow, N_("Quit, and go on here the next time")},
    {"<Control>q", "quit-remember", Group::kWindow, nullptr},
    {"<Control>w", "quit-remember", Group::kWindow, nullptr},
});

constexpr std::array<std::pair<Group, const char*>, 5> kGroups{{{Group::kPlayback, N_("Playback")},
                                                                {Group::kSeeking, N_("Seeking")},
                                                                {Group::kPicture, N_("Picture")},
                                                                {Group::kSound, N_("Sound")},
                                                                {Group::kWindow, N_("Window")}}};

struct Pressed {
  guint key;
  guint modifiers;

  bool operator==(const Pressed&) const = default;
};

/// For a letter, upper case and Shift are the same. For other characters, Shift is a part of the character.
Pressed normalised(guint key, guint modifiers) {
  guint held = modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_SHIFT_MASK);
  const bool is_letter = gdk_keyval_is_upper(key) != gdk_keyval_is_lower(key);
  if (is_letter) {
    const bool with_control = (held & GDK_CONTROL_MASK) != 0;  // with it, Caps Lock does not count
    if (gdk_keyval_is_upper(key) && !with_control) held |= GDK_SHIFT_MASK;
    return {gdk_keyval_to_lower(key), held};
  }
  if (gdk_keyval_to_unicode(key) > ' ') held &= ~static_cast<guint>(GDK_SHIFT_MASK);
  return {key, held};
}

std::string escaped(const char* text) { return GlibString{g_markup_escape_text(text, -1)}.get(); }

std::string group_description(Group group, const char* title) {
  std::string items;
  for (std::size_t i = 0; i < kBindings.size();) {
    const KeyBinding& binding = kBindings[i];
    std::string keys = binding.key;
    const std::size_t first = i;
    for (++i; i < kBindings.size() && kBindings[i].what == nullptr; ++i) {
      if (i == first + 1) keys += std::string{" "} + kBindings[i].key;  // a third key would be too wide
    }
    if (binding.group != group) continue;
    items += fmt::format(R"(<child><object class="GtkShortcutsShortcut"><property name="title">{}</property>)"
                         R"(<property name="accelerator">{}</property></object></child>)",
                         escaped(_(binding.what)), escaped(keys.c_str()));
  }
  return fmt::format(
      R"(<child><object class="GtkShortcutsGroup"><property name="title">{}</property>{}</object></child>)",
      escaped(title), items);
}

}  // namespace

std::span<const KeyBinding> key_bindings() { return kBindings; }

const char* action_of_key(guint key, GdkModifierType modifiers) {
  const Pressed pressed = normalised(key, modifiers);
  for (const KeyBinding& binding : kBindings) {
    guint bound = 0;
    GdkModifierType held{};
    gtk_accelerator_parse(binding.key, &bound, &held);
    if (normalised(bound, held) == pressed) return binding.action;
  }
  return nullptr;
}

std::string shortcuts_window_description() {
  std::string groups;
  for (const auto& [group, title] : kGroups) groups += group_description(group, _(title));
  return fmt::format(
      R"(<interface><object class="GtkShortcutsWindow" id="shortcuts"><property name="modal">1</property>)"
      R"(<child><object class="GtkShortcutsSection"><property name="section-name">keys</property>)"
      R"(<property name="max-height">12</property>{}</object></child></object></interface>)",
      groups);
}

}  // namespace tributary::play
