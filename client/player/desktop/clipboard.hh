#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <memory>
#include <string>

#include "player/glib/g_handles.hh"

namespace tributary::play {

inline void copy_to_clipboard(GtkWindow* window, const std::string& text) {
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(window)), text.c_str());
}

/// Calls `take` with the text in the clipboard, later; not at all if there is none.
inline void read_clipboard(GtkWindow* window, std::function<void(const std::string&)> take) {
  using Take = std::function<void(const std::string&)>;
  gdk_clipboard_read_text_async(
      gtk_widget_get_clipboard(GTK_WIDGET(window)), nullptr,
      [](GObject* source, GAsyncResult* result, gpointer data) {
        const std::unique_ptr<Take> taker{static_cast<Take*>(data)};
        const GlibString text{gdk_clipboard_read_text_finish(GDK_CLIPBOARD(source), result, nullptr)};
        if (text) (*taker)(text.get());
      },
      new Take{std::move(take)});
}

}  // namespace tributary::play
