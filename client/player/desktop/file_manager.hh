#pragma once

#include <gio/gio.h>

#include <string>

namespace tributary::play {

/// Shows the file in the desktop's file manager, selected. Where none can be asked for that, its folder is opened.
void show_in_folder(GApplication* application, const std::string& path);

}  // namespace tributary::play
