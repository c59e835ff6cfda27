#pragma once

#include <gtk/gtk.h>

#include "playback/stream_status.hh"

namespace tributary::play {

/// Whether playout ever stopped, when, and why.
class StallCard {
 public:
  StallCard();

  GtkWidget* widget() const { return card_; }
  void show(const StreamStatus& status);

 private:
  GtkWidget *card_, *icon_, *title_, *when_, *why_, *count_;
};

}  // namespace tributary::play
