#include "player/window/key_bindings.hh"

#include <gtest/gtest.h>
#include <gtk/gtk.h>

#include <set>

namespace tributary::play {
namespace {

constexpr auto kNone = static_cast<GdkModifierType>(0);

std::string action(guint key, guint modifiers = 0) {
  const char* found = action_of_key(key, static_cast<GdkModifierType>(modifiers));
  return found == nullptr ? "" : found;
}

TEST(KeyBindings, AreThoseOfMpv) {
  EXPECT_EQ(action(GDK_KEY_space), "pause");
  EXPECT_EQ(action(GDK_KEY_Right), "seek(5.0)");
  EXPECT_EQ(action(GDK_KEY_Right, GDK_SHIFT_MASK), "seek(1.0)");
  EXPECT_EQ(action(GDK_KEY_Down), "seek(-60.0)");
  EXPECT_EQ(action(GDK_KEY_j), "next-text(1.0)");
  EXPECT_EQ(action(GDK_KEY_J, GDK_SHIFT_MASK), "next-text(-1.0)");
  EXPECT_EQ(action(GDK_KEY_q), "quit");
  EXPECT_EQ(action(GDK_KEY_Q, GDK_SHIFT_MASK), "quit-remember");
  EXPECT_EQ(action(GDK_KEY_L, GDK_SHIFT_MASK), "loop");
  EXPECT_EQ(action(GDK_KEY_AudioPlay), "pause");
}

TEST(KeyBindings, ACharacterCountsWhateverKeysGiveIt) {
  EXPECT_EQ(action(GDK_KEY_numbersign), "next-sound");                  // a key of its own in Germany
  EXPECT_EQ(action(GDK_KEY_numbersign, GDK_SHIFT_MASK), "next-sound");  // Shift+3 in America
  EXPECT_EQ(action(GDK_KEY_slash, GDK_SHIFT_MASK), "volume-by(-2.0)");  // Shift+7 in Germany
  EXPECT_EQ(action(GDK_KEY_braceright, GDK_SHIFT_MASK), "speed-by(2.0)");
  EXPECT_EQ(action(GDK_KEY_question, GDK_SHIFT_MASK | GDK_CONTROL_MASK), "shortcuts");
}

TEST(KeyBindings, WithControlCapsLockDoesNotCount) {
  EXPECT_EQ(action(GDK_KEY_o, GDK_CONTROL_MASK), "open-address");
  EXPECT_EQ(action(GDK_KEY_O, GDK_CONTROL_MASK | GDK_LOCK_MASK), "open-address");
  EXPECT_EQ(action(GDK_KEY_O, GDK_CONTROL_MASK | GDK_SHIFT_MASK), "open-file");
  EXPECT_EQ(action(GDK_KEY_f, GDK_CONTROL_MASK), "");
  EXPECT_EQ(action(GDK_KEY_y), "");
}

TEST(KeyBindings, EachKeyCanBePressedAndStandsForOneAction) {
  std::set<std::pair<guint, guint>> keys;
  for (const KeyBinding& binding : key_bindings()) {
    guint key = 0;
    GdkModifierType modifiers = kNone;
    EXPECT_TRUE(gtk_accelerator_parse(binding.key, &key, &modifiers) && key != 0) << binding.key;
    EXPECT_EQ(action(key, modifiers), binding.action) << binding.key;
    EXPECT_TRUE(keys.emplace(key, modifiers).second) << binding.key << " twice";
  }
}

TEST(KeyBindings, TheWindowOfKeysNamesThemAll) {
  const std::string description = shortcuts_window_description();
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.what == nullptr) continue;
    EXPECT_NE(description.find(binding.what), std::string::npos) << binding.what;
  }
}

}  // namespace
}  // namespace tributary::play
