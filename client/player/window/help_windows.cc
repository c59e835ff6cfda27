#include "player/window/help_windows.hh"

#include <adwaita.h>

#include "player/glib/g_handles.hh"
#include "player/texts/translation.hh"
#include "player/window/key_bindings.hh"

namespace tributary::play {

void show_shortcuts(GtkWindow* parent) {
  const std::string description = shortcuts_window_description();
  const Ref<GtkBuilder> builder = Ref<GtkBuilder>::take(gtk_builder_new_from_string(description.c_str(), -1));
  auto* shortcuts = GTK_WINDOW(gtk_builder_get_object(builder.get(), "shortcuts"));
  gtk_window_set_transient_for(shortcuts, parent);
  gtk_window_present(shortcuts);
}

void show_about(GtkWindow* parent) {
  adw_show_about_window(parent, "application-name", _("Tributary"), "application-icon", TRIBUTARY_PLAY_ID, "version",
                        TRIBUTARY_VERSION, "license-type", GTK_LICENSE_MIT_X11, "comments",
                        _("Streams video over several links at once, from an ordinary web server."), nullptr);
}

}  // namespace tributary::play
