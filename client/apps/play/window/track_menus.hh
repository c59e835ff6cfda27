#pragma once

#include <gtk/gtk.h>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/texts/track_names.hh"

namespace tributary::play {

/// The menus over what a presentation offers. Their items are actions of the window: win.quality, win.sound, win.text with
/// an index as text ("auto", "none" for neither), win.speed, win.loop.

Ref<GMenuModel> quality_menu(const TrackNames& names);
Ref<GMenuModel> track_menu(const TrackNames& names);
Ref<GMenuModel> speed_menu();

}  // namespace tributary::play
