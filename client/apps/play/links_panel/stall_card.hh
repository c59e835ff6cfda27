#pragma once

#include <gtk/gtk.h>

#include <string>
#include <vector>

#include "playback/stream_status.hh"

namespace tributary::play {

/// Whether playout ever stopped, when, and why; figures for experts are behind "Details".
class StallCard {
 public:
  StallCard();

  GtkWidget* widget() const { return card_; }
  void show(const StreamStatus& status, const std::vector<std::string>& qualities);

 private:
  GtkWidget *card_, *icon_, *title_, *when_, *why_, *count_, *details_, *detail_;
};

}  // namespace tributary::play
