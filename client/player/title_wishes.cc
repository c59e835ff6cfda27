#include "player/title_wishes.hh"

#include <optional>
#include <utility>

#include "player/texts/translation.hh"
#include "presentation/track_choice.hh"

namespace tributary::play {
namespace {

std::string listed(const std::vector<TrackNames::Choice>& choices) {
  std::string names;
  for (const TrackNames::Choice& choice : choices) names += (names.empty() ? "" : ", ") + choice.name;
  return names;
}

std::optional<std::size_t> found(const OpenTitle& title, TrackKind kind, const std::string& wanted) {
  return wanted.empty() ? std::nullopt : find_track(title.info.presentation, kind, wanted);
}

}  // namespace

TitleWishes::TitleWishes(PlayOptions options, PreferencesFile file)
    : file_{std::move(file)},
      preferences_{file_.read()},
      sound_asked_{!options.stream.sound.empty()},
      options_{with_preferences(std::move(options), preferences_)} {}

void TitleWishes::prefer(const Preferences& preferences, Player& player) {
  preferences_ = preferences;
  file_.write(preferences_);
  apply(player);
}

void TitleWishes::apply(Player& player) const {
  player.limit_quality(options_.most_lines.value_or(preferences_.lines));
  player.use_hardware(options_.hardware || preferences_.hardware);
}

void TitleWishes::choose(const OpenTitle& title, Player& player, const Tell& tell) const {
  choose_quality(title, player, tell);
  choose_sound(title, player, tell);
  choose_text(title, player, tell);
}

/// By its name in the index or in the menu.
void TitleWishes::choose_quality(const OpenTitle& title, Player& player, const Tell& tell) const {
  if (!options_.quality) return;
  std::string known;
  for (std::size_t i = 0; i < title.info.qualities.size(); ++i) {
    const std::string& id = title.info.presentation.tracks[title.info.qualities[i]].id;
    const std::string& name = title.names.qualities[i];
    if (*options_.quality == id || *options_.quality == name)
      return player.choose_quality(static_cast<QualityIndex>(i));
    known += (known.empty() ? "" : ", ") + name;
  }
  tell(say(_("There is no quality “{}”, only: {}"), *options_.quality, known));
}

/// The stream has chosen the sound, unless the preference is new.
void TitleWishes::choose_sound(const OpenTitle& title, Player& player, const Tell& tell) const {
  if (!sound_asked_) {
    const auto preferred = found(title, TrackKind::kAudio, preferences_.sound);
    if (preferred && preferred != player.sound()) player.choose_sound(*preferred);
    return;
  }
  const std::string& asked = options_.stream.sound;
  if (found(title, TrackKind::kAudio, asked)) return;
  tell(title.names.sounds.empty()
           ? std::string{_("There is no audio track to choose")}
           : say(_("There is no audio track “{}”, only: {}"), asked, listed(title.names.sounds)));
}

void TitleWishes::choose_text(const OpenTitle& title, Player& player, const Tell& tell) const {
  const std::string wanted = options_.subtitles.value_or(preferences_.subtitles);
  if (wanted == kNoSubtitles) return;
  if (const auto track = found(title, TrackKind::kText, wanted)) return player.choose_text(track);
  if (!options_.subtitles || wanted.empty()) return;  // a preference is for titles that have them
  tell(title.names.texts.empty() ? std::string{_("There are no subtitles")}
                                 : say(_("There are no subtitles “{}”, only: {}"), wanted, listed(title.names.texts)));
}

}  // namespace tributary::play
