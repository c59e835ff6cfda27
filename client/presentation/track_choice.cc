#include "presentation/track_choice.hh"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "presentation/language_tag.hh"

namespace tributary {
namespace {

// How far a track is from a wish: by its role, then by its language or name. Less is nearer.
using Distance = std::pair<int, int>;
constexpr int kSameLanguage = 0, kMoreExact = 1, kNamed = 2, kLessExact = 3;

/// The shortest tag, in small letters. Manifests may state languages that are in no list: these stay as they are.
std::string comparable(const std::string& language) {
  std::string tag = language_tag(language).value_or(language);
  std::ranges::transform(tag, tag.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return tag;
}

/// Without its last subtag, and without a singleton before that (RFC 4647 section 3.4). Empty: nothing is left.
std::string shortened(const std::string& tag) {
  std::size_t end = tag.rfind('-');
  if (end == std::string::npos) return {};
  if (end >= 2 && tag[end - 2] == '-') end -= 2;
  return tag.substr(0, end);
}

/// Nothing: it is another language.
std::optional<int> distance_of_language(const std::string& language, const std::string& wanted) {
  if (language.empty() || wanted.empty()) return std::nullopt;
  const std::string tag = comparable(language), wish = comparable(wanted);
  if (tag == wish) return kSameLanguage;
  if (tag.starts_with(wish + "-")) return kMoreExact;
  int steps = 0;
  for (std::string range = shortened(wish); !range.empty(); range = shortened(range), ++steps) {
    if (tag == range) return kLessExact + steps;
  }
  return std::nullopt;
}

/// Zero: for every viewer.
int distance_of_role(const TrackLabel& label) {
  if (label.is_beside() || label.has(TrackRole::kForced)) return 2;
  return label.has(TrackRole::kIntelligible) || label.has(TrackRole::kCaption) || label.has(TrackRole::kEasyReader) ? 1
                                                                                                                    : 0;
}

std::optional<Distance> distance(const Track& track, const std::string& wanted) {
  std::optional<Distance> nearest;
  if (const auto language = distance_of_language(track.label.language, wanted))
    nearest = {distance_of_role(track.label), *language};
  const bool named = !wanted.empty() && (track.id == wanted || track.label.name == wanted);
  if (named && (!nearest || Distance{0, kNamed} < *nearest)) nearest = {0, kNamed};
  return nearest;
}

std::string name_in_list(const Track& sound) {
  return sound.label.language.empty() ? sound.id : fmt::format("{} ({})", sound.label.language, sound.id);
}

}  // namespace

std::optional<std::size_t> find_track(const Presentation& presentation, TrackKind kind, const std::string& wanted) {
  constexpr int kFar = std::numeric_limits<int>::max();
  std::optional<std::size_t> found;
  Distance nearest{kFar, kFar};
  for (std::size_t i = 0; i < presentation.tracks.size(); ++i) {
    const Track& track = presentation.tracks[i];
    const auto its = track.kind == kind ? distance(track, wanted) : std::nullopt;
    if (!its || *its >= nearest) continue;
    nearest = *its;
    found = i;
  }
  return found;
}

std::optional<std::size_t> sound_like(const Presentation& presentation, std::size_t sound,
                                      std::span<const std::size_t> not_these) {
  const std::vector<Track>& tracks = presentation.tracks;
  const auto coding = [](const Track& track) { return track.codec.substr(0, track.codec.find('.')); };
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track &other = tracks[i], &now = tracks[sound];
    if (i == sound || other.kind != TrackKind::kAudio || std::ranges::find(not_these, i) != not_these.end()) continue;
    if (other.label.language == now.label.language && coding(other) == coding(now)) return i;
  }
  return std::nullopt;
}

std::size_t sound_of(const Presentation& presentation, const std::string& wanted) {
  if (const auto found = find_track(presentation, TrackKind::kAudio, wanted)) return *found;
  std::string known;
  for (const Track& track : presentation.tracks) {
    if (track.kind == TrackKind::kAudio) known += (known.empty() ? "" : ", ") + name_in_list(track);
  }
  throw NotInTitle{known.empty()
                       ? fmt::format("there is no sound \"{}\": the title has no sounds to choose from", wanted)
                       : fmt::format("there is no sound \"{}\", only: {}", wanted, known)};
}

}  // namespace tributary
