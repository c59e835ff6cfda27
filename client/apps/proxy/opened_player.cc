#include "apps/proxy/opened_player.hh"

#include <glib.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "system/glib_handles.hh"

namespace tributary {

std::vector<std::string> player_command(const std::string& player, const std::string& address) {
  if (player == "mpv") return {"mpv", "--", address};
  if (player == "vlc") return {"vlc", "--", address};
  if (player == kBrowser) return {"xdg-open", address};
  gint count = 0;
  gchar** words = nullptr;
  if (g_shell_parse_argv(player.c_str(), &count, &words, nullptr) == FALSE)
    throw std::invalid_argument{"--open \"" + player + "\": this is no command"};
  std::vector<std::string> command{words, words + count};
  g_strfreev(words);
  const bool has_place = std::ranges::find(command, "{}") != command.end();
  std::ranges::replace(command, std::string{"{}"}, address);
  if (!has_place) command.push_back(address);
  return command;
}

void start_player(const std::vector<std::string>& command) {
  std::vector<gchar*> words;
  for (const std::string& word : command) words.push_back(const_cast<gchar*>(word.c_str()));
  words.push_back(nullptr);
  const auto flags = static_cast<GSpawnFlags>(G_SPAWN_SEARCH_PATH);
  if (g_spawn_async(nullptr, words.data(), nullptr, flags, nullptr, nullptr, nullptr, nullptr) == FALSE)
    throw std::system_error{ENOENT, std::generic_category(), "cannot start " + command.front()};
}

}  // namespace tributary
