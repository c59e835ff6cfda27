#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/play/memory/address_history.hh"

namespace tributary::play {

/// Asks for an address; those that were played last can be chosen. `open` is called with what was typed or chosen, once or
/// not at all.
void ask_for_address(GtkWindow* parent, const std::string& suggestion, const std::vector<PlayedAddress>& latest,
                     std::function<void(const std::string&)> open);

/// Asks for a file of this computer. `open` is called with its path.
void ask_for_file(GtkWindow* parent, std::function<void(const std::string&)> open);

}  // namespace tributary::play
