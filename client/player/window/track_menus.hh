#pragma once

#include <gtk/gtk.h>

#include "player/glib/g_handles.hh"
#include "player/texts/track_names.hh"

namespace tributary::play {

/// The menus of a presentation's tracks. Their items are actions of the window: win.speed, win.loop, and win.quality,
/// win.sound, win.text with an index as text. "auto" is no fixed quality, "none" no track.

Ref<GMenuModel> quality_menu(const TrackNames& names);
Ref<GMenuModel> track_menu(const TrackNames& names);
Ref<GMenuModel> speed_menu();

}  // namespace tributary::play
