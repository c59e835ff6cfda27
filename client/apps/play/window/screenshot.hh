#pragma once

#include <gdk/gdk.h>

#include <functional>
#include <string>

#include "apps/play/glib/g_handles.hh"
#include "units/session_clock.hh"

namespace tributary::play {

/// Where screenshots go by default: the user's pictures folder.
std::string usual_screenshot_folder();

/// Writes a picture as a PNG file of its own, named after the title and the position in it, in a thread. `done` is called
/// in the main context: with the path of the file, or with an empty path and what went wrong.
void save_screenshot(const Ref<GdkTexture>& picture, const std::string& folder, const std::string& title,
                     Duration position, std::function<void(const std::string& path, const std::string& error)> done);

}  // namespace tributary::play
