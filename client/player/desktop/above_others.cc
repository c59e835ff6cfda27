#include "player/desktop/above_others.hh"

#include <gdk/gdk.h>
#ifdef GDK_WINDOWING_X11
#include <X11/Xlib.h>
#include <gdk/x11/gdkx.h>
#endif

namespace tributary::play {

#ifdef GDK_WINDOWING_X11

bool can_stay_above(GtkWindow* window) {
  return GDK_IS_X11_DISPLAY(gtk_widget_get_display(GTK_WIDGET(window))) != FALSE;
}

void stay_above(GtkWindow* window, bool on) {
  GdkSurface* const surface = gtk_native_get_surface(GTK_NATIVE(window));
  if (surface == nullptr || !can_stay_above(window)) return;
  GdkDisplay* const display = gdk_surface_get_display(surface);
  const auto atom = [&](const char* name) {
    return static_cast<long>(gdk_x11_get_xatom_by_name_for_display(display, name));
  };
  constexpr long kRemove = 0, kAdd = 1, kOfApplication = 1;
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = gdk_x11_surface_get_xid(surface);
  event.xclient.message_type = static_cast<Atom>(atom("_NET_WM_STATE"));
  event.xclient.format = 32;
  event.xclient.data.l[0] = on ? kAdd : kRemove;
  event.xclient.data.l[1] = atom("_NET_WM_STATE_ABOVE");
  event.xclient.data.l[2] = atom("_NET_WM_STATE_STICKY");
  event.xclient.data.l[3] = kOfApplication;
  Display* const screen = gdk_x11_display_get_xdisplay(display);
  XSendEvent(screen, DefaultRootWindow(screen), False, SubstructureNotifyMask | SubstructureRedirectMask, &event);
}

#else

bool can_stay_above(GtkWindow* /*window*/) { return false; }
void stay_above(GtkWindow* /*window*/, bool /*on*/) {}

#endif

}  // namespace tributary::play
