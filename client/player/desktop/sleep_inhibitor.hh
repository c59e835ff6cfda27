#pragma once

#include <gtk/gtk.h>

#include <memory>

namespace tributary::play {

/// Keeps the screen on and the computer awake while a title plays. Asks the session manager or a portal through GTK; if
/// there is neither, asks org.freedesktop.ScreenSaver.
class SleepInhibitor {
 public:
  SleepInhibitor(GtkApplication* application, GtkWindow* window);
  SleepInhibitor(const SleepInhibitor&) = delete;
  SleepInhibitor& operator=(const SleepInhibitor&) = delete;
  ~SleepInhibitor() { inhibit(false); }

  void inhibit(bool wanted);

 private:
  /// Shared, because its answers may come after the inhibitor has ended.
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
  guint cookie_ = 0;  // of GTK; 0: it found no service, or sleep is not inhibited
  std::shared_ptr<ScreenSaver> screen_saver_;
};

}  // namespace tributary::play
