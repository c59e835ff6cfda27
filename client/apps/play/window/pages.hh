#pragma once

#include <gtk/gtk.h>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/window/recent_list.hh"
#include "gst/player/player.hh"

namespace tributary::play {

/// Before anything is played: what to do.
class StartPage {
 public:
  explicit StartPage(std::function<void(const std::string& url)> open);

  GtkWidget* widget() const { return page_; }
  void show(const std::vector<PlayedAddress>& latest);

 private:
  GtkWidget *page_, *recent_title_;
  RecentList recent_;
};

/// Why it does not play, and what to do about it.
class ProblemPage {
 public:
  ProblemPage();

  GtkWidget* widget() const { return page_; }
  void show(const PlayerProblem& problem);

 private:
  GtkWidget *page_, *details_, *detail_, *retry_;
};

}  // namespace tributary::play
