#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <string>

#include "playback/status/stream_status.hh"
#include "player/glib/g_handles.hh"

namespace tributary::play {

/// Asks, over the picture, whether to use a spared link. The video goes on meanwhile.
class MeteredQuestion {
 public:
  using Answer = std::function<void(const std::string& link, LinkUse use, bool remember)>;

  explicit MeteredQuestion(Answer answer);

  GtkWidget* widget() const { return revealer_; }
  void ask(const LinkStatus& link);
  void hide();

 private:
  GtkWidget* button(const char* text, LinkUse use);

  Answer answer_;
  std::string link_;  // the link that the question is about
  GtkWidget *revealer_, *icon_, *what_, *until_, *remember_;
  Signals signals_;
};

}  // namespace tributary::play
