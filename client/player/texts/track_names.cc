#include "player/texts/track_names.hh"

#include <fmt/format.h>
#include <gst/tag/tag.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

/// A name that begins with a digit ("360p-2", "0") was made by a program, and says less than the bitrate.
std::string rate_or_id(const Track& track) {
  const bool made_up = !track.id.empty() && std::isdigit(static_cast<unsigned char>(track.id.front())) != 0;
  return made_up ? rate_text(track.bitrate.average) : track.id;
}

std::string id_of(const Track& track) { return track.id; }

std::string height_text(const Track& track) { return track.height > 0 ? fmt::format("{}p", track.height) : track.id; }

/// The track's language in the user's language, if known: "de", "deu" and "de-CH" are German.
std::string language_text(const Track& track) {
  const std::string& language = track.label.language;
  if (language.empty()) return track.id;
  const char* name = gst_tag_get_language_name(language.substr(0, language.find('-')).c_str());
  return name != nullptr ? name : language;
}

const char* role_text(TrackRole role) {
  switch (role) {
    case TrackRole::kOriginal:
      return _("original");
    case TrackRole::kDub:
      return _("dubbed");
    case TrackRole::kCommentary:
      return _("commentary");
    case TrackRole::kDescription:
      return _("audio description");
    case TrackRole::kIntelligible:
      return _("clear speech");
    case TrackRole::kCaption:
      return _("for the hard of hearing");
    case TrackRole::kForced:
      return _("foreign speech only");
    case TrackRole::kEasyReader:
      return _("easy to read");
  }
  return "";
}

/// The language, and a distinction from other tracks: the name that the source gave, or the purpose.
std::string label_text(const Track& track) {
  std::string text = language_text(track);
  if (!track.label.name.empty())
    return text == track.id ? track.label.name : fmt::format("{} · {}", text, track.label.name);
  for (const TrackRole role : track.label.roles) text += fmt::format(" · {}", role_text(role));
  return text;
}

using Name = std::string (*)(const Track&);

/// Tracks with the same name are told apart by the first of the distinctions that none of them shares.
std::vector<TrackNames::Choice> named(const StreamInfo& info, const std::vector<std::size_t>& tracks, Name name,
                                      std::span<const Name> distinctions) {
  const auto name_of = [&](std::size_t index) { return name(info.presentation.tracks.at(index)); };
  std::vector<TrackNames::Choice> choices;
  for (const std::size_t index : tracks) {
    const std::string short_name = name_of(index);
    std::string unique = short_name;
    bool taken = std::ranges::count(tracks, short_name, name_of) > 1;
    for (auto distinction = distinctions.begin(); taken && distinction != distinctions.end(); ++distinction) {
      const auto long_name_of = [&](std::size_t other) {
        return fmt::format("{} · {}", name_of(other), (*distinction)(info.presentation.tracks.at(other)));
      };
      unique = long_name_of(index);
      taken = std::ranges::count(tracks, unique, long_name_of) > 1;
    }
    choices.push_back({index, std::move(unique)});
  }
  return choices;
}

}  // namespace

std::string TrackNames::quality(std::optional<QualityIndex> index) const {
  return index && to_index(*index) < qualities.size() ? qualities[to_index(*index)] : std::string{};
}

TrackNames track_names(const StreamInfo& info) {
  constexpr std::array<Name, 1> kById{id_of};
  constexpr std::array<Name, 2> kByRate{rate_or_id, id_of};
  TrackNames names{.qualities = {},
                   .sounds = named(info, info.sounds, label_text, kById),
                   .texts = named(info, info.texts, label_text, kById)};
  for (const auto& quality : named(info, info.qualities, height_text, kByRate)) names.qualities.push_back(quality.name);
  return names;
}

}  // namespace tributary::play
