#pragma once

#include <string>
#include <vector>

namespace tributary {

inline constexpr const char* kBrowser = "browser";

/// The words of the command that plays an address: of mpv, vlc, the desktop's browser, or of a command in which {} stands
/// for the address (or that has it as its last word). Throws std::invalid_argument if the command has an open quotation.
std::vector<std::string> player_command(const std::string& player, const std::string& address);

/// Starts a player. It goes on by itself: its end is not waited for. Throws std::system_error if it cannot be started.
void start_player(const std::vector<std::string>& command);

}  // namespace tributary
