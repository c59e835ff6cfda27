#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <optional>
#include <string>

#include "playback/status/stream_status.hh"
#include "player/glib/g_handles.hh"
#include "player/links_panel/share_bar.hh"

namespace tributary::play {

/// The row of one link: its kind, activity, rate and use. "Details" has figures for experts.
class LinkRow {
 public:
  using Choose = std::function<void(const std::string& link, LinkUse use)>;

  explicit LinkRow(Choose choose);

  GtkWidget* widget() const { return row_; }
  void show(const LinkStatus& link);

 private:
  GtkWidget* detail(int line, const char* name);
  void chosen();
  void show_use(const LinkStatus& link);

  Choose choose_;
  std::string name_, colour_;
  GtkWidget *row_, *icon_, *title_, *activity_, *rate_, *why_, *use_, *details_;
  GtkWidget *minute_, *round_trip_, *connections_, *outstanding_, *received_, *activity_detail_;
  ShareBar share_;
  std::optional<LinkUse> chosen_;  // the user's choice, until the status agrees with it
  int patience_ = 0;
  bool showing_ = false;  // while true, a change of the menu is not the user's choice
  Signals signals_;
};

}  // namespace tributary::play
