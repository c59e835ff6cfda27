#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/play/memory/address_history.hh"

namespace tributary::play {

/// Asks for an address, and offers the latest ones. Calls `open` with the typed or chosen text, at most once.
void ask_for_address(GtkWindow* parent, const std::string& suggestion, const std::vector<PlayedAddress>& latest,
                     std::function<void(const std::string&)> open);

/// Asks for a file of this computer. Calls `open` with its path, at most once.
void ask_for_file(GtkWindow* parent, std::function<void(const std::string&)> open);

}  // namespace tributary::play
