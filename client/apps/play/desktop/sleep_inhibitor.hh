#pragma once

#include <gtk/gtk.h>

#include <memory>

namespace tributary::play {

/// Keeps the screen on and the computer awake while something plays: by the session manager or a portal, which GTK knows, and
/// where there is neither, by org.freedesktop.ScreenSaver.
class SleepInhibitor {
 public:
  SleepInhibitor(GtkApplication* application, GtkWindow* window);
  SleepInhibitor(const SleepInhibitor&) = delete;
  SleepInhibitor& operator=(const SleepInhibitor&) = delete;
  ~SleepInhibitor() { inhibit(false); }

  void inhibit(bool wanted);

 private:
  /// Its answers may come after us.
  struct ScreenSaver {
    bool wanted = false;
    guint cookie = 0;  // 0: no answer yet
  };
  void ask_screen_saver() const;
  static void answered(GObject* bus, GAsyncResult* result, gpointer screen_saver);
  static void let_go(GDBusConnection* bus, guint cookie);

  GtkApplication* application_;
  GtkWindow* window_;
  bool wanted_ = false;
  guint cookie_ = 0;  // 0: GTK knows nobody, or nothing is inhibited
  std::shared_ptr<ScreenSaver> screen_saver_;
};

}  // namespace tributary::play
