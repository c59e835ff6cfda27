#include "player/memory/playlist.hh"

#include <glib.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <utility>

#include "player/glib/g_handles.hh"
#include "player/memory/address.hh"

namespace tributary::play {
namespace {

namespace fs = std::filesystem;

/// As people count: 2 before 10.
std::string sort_key(const fs::path& path) {
  return GlibString{g_utf8_collate_key_for_filename(path.filename().c_str(), -1)}.get();
}

}  // namespace

void Playlist::set(std::vector<std::string> addresses) {
  addresses_ = std::move(addresses);
  current_ = 0;
}

const std::string& Playlist::go_to(std::size_t number) {
  assert(number < addresses_.size());
  current_ = number;
  return addresses_[number];
}

std::vector<std::string> films_of(const std::string& text) {
  std::error_code unreadable;
  const std::string local = local_path(text);
  const fs::path folder = local.empty() ? text : local;
  if (!fs::is_directory(folder, unreadable) || !manifest_in(folder).empty()) return {text};
  std::vector<fs::path> films;
  for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, unreadable)) {
    if (entry.is_directory(unreadable)) {
      if (fs::path manifest = manifest_in(entry); !manifest.empty()) films.push_back(std::move(manifest));
    } else if (is_manifest(entry)) {
      films.push_back(entry);
    }
  }
  // Of a film in a folder, the folder's name counts.
  const auto name = [&](const fs::path& film) {
    return sort_key(film.parent_path() == folder ? film : film.parent_path());
  };
  std::ranges::sort(films, {}, name);
  if (films.empty()) return {text};
  return {films.begin(), films.end()};
}

}  // namespace tributary::play
