#pragma once

#include <gtk/gtk.h>

namespace tributary::play {

/// Keeps the screen on and the computer awake while something plays.
class SleepInhibitor {
 public:
  SleepInhibitor(GtkApplication* application, GtkWindow* window)
      : application_{application}, window_{window} {}
  SleepInhibitor(const SleepInhibitor&) = delete;
  SleepInhibitor& operator=(const SleepInhibitor&) = delete;
  ~SleepInhibitor() { inhibit(false); }

  void inhibit(bool wanted);

 private:
  GtkApplication* application_;
  GtkWindow* window_;
  bool wanted_ = false;
  guint cookie_ = 0;  // 0: the desktop does not know this, or nothing is inhibited
};

}  // namespace tributary::play
