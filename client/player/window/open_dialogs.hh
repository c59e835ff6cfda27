#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "player/memory/address_history.hh"

namespace tributary::play {

/// Asks for an address, and offers the latest ones. Calls `open` with the typed or chosen text, at most once.
void ask_for_address(GtkWindow* parent, const std::string& suggestion, const std::vector<PlayedAddress>& latest,
                     std::function<void(const std::string&)> open);

/// Shows what is played one after the other. Calls `choose` with the number of the chosen one, at most once.
void choose_from_playlist(GtkWindow* parent, const std::vector<PlayedAddress>& addresses, std::size_t playing,
                          std::function<void(std::size_t)> choose);

/// Asks for files of this computer. Calls `open` with their paths, at most once.
void ask_for_files(GtkWindow* parent, std::function<void(const std::vector<std::string>&)> open);
/// The same for files of subtitles.
void ask_for_subtitles(GtkWindow* parent, std::function<void(const std::vector<std::string>&)> open);

}  // namespace tributary::play
