#pragma once

#include <gtk/gtk.h>

#include <string>
#include <vector>

#include "playback/status/stream_status.hh"

namespace tributary::play {

/// Tells whether, when and why playout last stopped. "Details" has figures for experts.
class StallCard {
 public:
  StallCard();

  GtkWidget* widget() const { return card_; }
  void show(const StreamStatus& status, const std::vector<std::string>& qualities);

 private:
  GtkWidget *card_, *icon_, *title_, *when_, *why_, *count_, *details_, *detail_;
};

}  // namespace tributary::play
