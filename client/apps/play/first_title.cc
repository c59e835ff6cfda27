#include "apps/play/first_title.hh"

#include <memory>
#include <utility>

#include "player/memory/address.hh"
#include "player/memory/history_file.hh"
#include "player/memory/played_films.hh"
#include "player/memory/playlist.hh"
#include "player/memory/preferences.hh"
#include "units/text/printed_text.hh"

namespace tributary::play {
namespace {

/// Nothing: it does not come over links, or the window will say what is wrong with it.
std::optional<std::string> first_address(const PlayOptions& options) try {
  if (options.urls.empty()) return std::nullopt;
  const std::string url = address_to_play(films_of(options.urls.front()).front());
  return local_path(url).empty() ? std::optional{url} : std::nullopt;
} catch (const AddressError&) {
  return std::nullopt;
}

}  // namespace

OpenFeed begin_first_title(const PlayOptions& asked) {
  const auto url = first_address(asked);
  if (!url) return open_stream;
  const auto warn = [](const std::string& text) { print_text(stderr, "tributary-play: {}\n", text); };
  // Whatever is wrong with the preferences, the window tells.
  const Preferences preferences = PreferencesFile{PreferencesFile::usual_path(), [](const std::string&) {}}.read();
  const PlayOptions options = with_preferences(asked, preferences);
  const PlayedFilms films{HistoryFile{HistoryFile::usual_path(), warn}, options.remember};
  const Duration start = options.start ? *options.start : films.position(*url).value_or(Duration{});
  QualityWish quality;
  quality.most_lines = options.most_lines.value_or(preferences.lines);
  const auto ahead = std::make_shared<FeedAhead>(FeedAhead::Title{*url, start, quality}, options.stream);
  return [ahead](const std::string& opened, const Stream::Options& stream, StreamListener& listener) {
    return ahead->open(opened, stream, listener);
  };
}

}  // namespace tributary::play
