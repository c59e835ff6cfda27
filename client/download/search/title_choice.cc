#include "download/search/title_choice.hh"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace tributary {
namespace {

const Track& track_of(const SegmentTable& table, std::size_t level) {
  return table.presentation().tracks[table.ladder()[level]];
}

/// 720 of "720p".
std::optional<int> height_of(const std::string& wanted) {
  int height = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), height);
  const bool is_height = error == std::errc{} && end == wanted.data() + wanted.size() - 1 && *end == 'p' && height > 0;
  return is_height ? std::optional{height} : std::nullopt;
}

void list(std::string& names, const std::string& name) { names += (names.empty() ? "" : ", ") + name; }

FilmTime early(const Track& track) {
  return FilmTime{std::llround(1e6 * static_cast<double>(track.offset) / track.timescale)};
}

}  // namespace

QualityIndex quality_of(const SegmentTable& table, const std::string& wanted) {
  if (const auto named = table.qualities().find(wanted)) return *named;
  if (wanted == kBestQuality) return table.highest_quality();
  if (wanted == kLowestQuality) return QualityIndex{0};
  std::string known;
  std::optional<std::size_t> best;
  const auto height = height_of(wanted);
  for (std::size_t i = 0; i < table.quality_count(); ++i) {
    const Track& track = track_of(table, i);
    list(known, track.height > 0 ? fmt::format("{} ({}p)", track.id, track.height) : track.id);
    const bool fits = height && track.height > 0 && track.height <= *height;
    if (fits && (!best || track.height >= track_of(table, *best).height)) best = i;
  }
  if (best) return static_cast<QualityIndex>(*best);
  throw NotInTitle{fmt::format("there is no quality \"{}\", only: {}", wanted, known)};
}

std::vector<FilmTrack> film_tracks(const SegmentTable& table, QualityIndex quality) {
  const std::size_t picture = table.ladder()[to_index(quality)];
  const Track& shown = table.presentation().tracks[picture];
  const auto sound = table.sound();
  std::vector<FilmTrack> tracks{
      {.index = picture, .name = shown.id, .picture = true, .sound = !sound, .early = early(shown)}};
  if (sound) {
    const Track& heard = table.presentation().tracks[*sound];
    tracks.push_back({.index = *sound, .name = heard.id, .sound = true, .early = early(heard), .label = heard.label});
  }
  return tracks;
}

DataSize size_of_title(const SegmentTable& table, QualityIndex quality) {
  DataSize size;
  for (std::size_t i = 0; i < table.segment_count(); ++i) {
    const auto segment = static_cast<SegmentIndex>(i);
    size += table.size(segment, quality);
    if (table.stretch_begin(segment) != segment) continue;
    for (const SegmentPart& part : table.init_parts(segment, quality)) size += part.size();
  }
  return size;
}

}  // namespace tributary
