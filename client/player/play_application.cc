#include "player/play_application.hh"

#include <glib-unix.h>

#include <csignal>

#include "player/links_panel/link_colours.hh"
#include "player/picture/renderer.hh"

namespace tributary::play {

PlayApplication::PlayApplication(PlayOptions options)
    : application_{Ref<AdwApplication>::take(adw_application_new(TRIBUTARY_PLAY_ID, G_APPLICATION_NON_UNIQUE))},
      colours_{Ref<GtkCssProvider>::take(gtk_css_provider_new())} {
  // The desktop knows the program by this name, and not by that of the executable.
  g_set_prgname(TRIBUTARY_PLAY_ID);
  g_application_set_resource_base_path(G_APPLICATION(application_.get()), "/org/tributary/Play");
  signals_.on<void(GApplication*)>(application_.get(), "activate", [this, options = std::move(options)](GApplication*) {
    if (!controller_) start_window(options);
  });
}

int PlayApplication::run() { return g_application_run(G_APPLICATION(application_.get()), 0, nullptr); }

void PlayApplication::start_window(PlayOptions options) {
  choose_renderer();
  signals_.on_notify(adw_style_manager_get_default(), "dark", [this] { load_colours(); });
  load_colours();
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(colours_.get()),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  controller_ = std::make_unique<PlayController>(application_.get(), std::move(options), [this] { end(); });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    g_unix_signal_add(
        signal,
        [](gpointer self) -> gboolean {
          static_cast<PlayApplication*>(self)->controller_->end(true);
          return G_SOURCE_CONTINUE;
        },
        this);
  }
}

/// Deferred, because the controller's own calls may lead here.
void PlayApplication::end() {
  end_.once(0, [this] {
    controller_.reset();
    g_application_quit(G_APPLICATION(application_.get()));
  });
}

void PlayApplication::load_colours() {
  const bool dark = adw_style_manager_get_dark(adw_style_manager_get_default()) != FALSE;
  gtk_css_provider_load_from_data(colours_.get(), link_colour_styles(dark).c_str(), -1);
}

}  // namespace tributary::play
