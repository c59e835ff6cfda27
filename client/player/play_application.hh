#pragma once

#include <adwaita.h>

#include <memory>

#include "player/glib/g_handles.hh"
#include "player/play_controller.hh"
#include "player/play_options.hh"

namespace tributary::play {

/// One window of one process, and its main loop.
class PlayApplication {
 public:
  explicit PlayApplication(PlayOptions options);

  /// Returns the exit status after the window is closed, or after a signal to end.
  int run();

 private:
  void start_window(PlayOptions options);
  void end();
  void load_colours();

  Ref<AdwApplication> application_;
  Ref<GtkCssProvider> colours_;
  std::unique_ptr<PlayController> controller_;
  Timer end_;
  Signals signals_;
};

}  // namespace tributary::play
