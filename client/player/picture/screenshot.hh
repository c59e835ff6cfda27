#pragma once

#include <gdk/gdk.h>

#include <functional>
#include <string>

#include "player/glib/g_handles.hh"
#include "units/session_clock.hh"

namespace tributary::play {

/// The default folder of screenshots: the user's pictures folder.
std::string usual_screenshot_folder();

/// Writes a picture as a new PNG file, named after the title and the position, in a thread. Calls `done` in the main
/// context with the path of the file, or with an empty path and the error. Until then the application stays alive.
void save_screenshot(const Ref<GdkTexture>& picture, const std::string& folder, const std::string& title,
                     Duration position, std::function<void(const std::string& path, const std::string& error)> done);

}  // namespace tributary::play
