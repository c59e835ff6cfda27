#include "player/memory/played_films.hh"

#include <algorithm>

namespace tributary::play {

std::vector<PlayedAddress> PlayedFilms::known_of(const std::vector<std::string>& urls) const {
  const std::vector<PlayedAddress> known = latest();
  std::vector<PlayedAddress> found;
  for (const std::string& url : urls) {
    const auto before = std::ranges::find(known, url, &PlayedAddress::url);
    found.push_back(before == known.end() ? PlayedAddress{.url = url, .opened = {}, .position = {}} : *before);
  }
  return found;
}

void PlayedFilms::opened(const std::string& url, UtcTime when, const std::string& title) {
  if (remembers_) file_.change([&](AddressHistory& history) { history.opened(url, when, title); });
}

void PlayedFilms::left_at(const std::string& url, std::optional<Duration> position) {
  if (remembers_) file_.change([&](AddressHistory& history) { history.left_at(url, position); });
}

void PlayedFilms::forget_all() {
  file_.change([](AddressHistory& history) { history = {}; });
}

}  // namespace tributary::play
