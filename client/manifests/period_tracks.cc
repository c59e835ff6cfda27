#include "manifests/period_tracks.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "manifests/manifest.hh"

namespace tributary {
namespace {

constexpr std::uint64_t kMostTicks = 1'000'000'000;      // a second; 18 billion seconds then fit 64 bits
constexpr std::int64_t kLatest = std::int64_t{1} << 61;  // ticks; two of them add up
constexpr std::uint64_t kMicroseconds = 1'000'000;       // where no timescale fits all periods

}  // namespace

std::string_view codec_family(const Track& track) {
  return std::string_view{track.codec}.substr(0, track.codec.find('.'));
}

std::vector<const Track*> tracks_of(const Presentation& period, TrackKind kind) {
  std::vector<const Track*> tracks;
  for (const Track& track : period.tracks) {
    if (track.kind == kind) tracks.push_back(&track);
  }
  return tracks;
}

std::vector<const Track*> ladder_of(const Presentation& period, std::string_view family) {
  std::vector<const Track*> pictures = tracks_of(period, TrackKind::kVideo);
  if (pictures.empty()) return {};
  const auto alike = std::ranges::find_if(pictures, [&](const Track* track) { return codec_family(*track) == family; });
  const std::string group = (alike == pictures.end() ? pictures.front() : *alike)->group;
  std::erase_if(pictures, [&](const Track* track) { return track->group != group; });
  return pictures;
}

std::vector<const Track*> richest(const std::vector<std::vector<const Track*>>& of_periods) {
  return *std::ranges::max_element(of_periods, {}, &std::vector<const Track*>::size);
}

const Track* picture_for(const Track& wanted, const std::vector<const Track*>& ladder) {
  const auto named = std::ranges::find(ladder, wanted.id, &Track::id);
  if (named != ladder.end()) return *named;
  const auto apart = [&](const Track* track) {
    return std::abs(std::log(track->bitrate.average.bits_per_second() / wanted.bitrate.average.bits_per_second()));
  };
  return *std::ranges::min_element(ladder, {}, apart);
}

const Track* sound_for(const Track& wanted, const Presentation& period) {
  const Track* best = nullptr;
  int best_likeness = -1;
  for (const Track* track : tracks_of(period, TrackKind::kAudio)) {
    const bool language = track->label.language == wanted.label.language;
    const int likeness = 2 * language + (language && track->label.roles == wanted.label.roles);
    if (likeness > best_likeness) best = track;
    best_likeness = std::max(best_likeness, likeness);
  }
  return best;
}

const Track* text_for(const Track& wanted, const std::vector<Track>& tracks) {
  const Track* found = nullptr;
  for (const Track& track : tracks) {
    if (track.kind != TrackKind::kText || track.label.language != wanted.label.language) continue;
    if (track.label.roles == wanted.label.roles) return &track;
    if (found == nullptr) found = &track;
  }
  return found;
}

std::uint32_t common_timescale(const OverPeriods& tracks) {
  std::uint64_t common = 1;
  for (const Track* track : tracks) {
    if (track != nullptr) common = std::lcm(common, std::uint64_t{track->timescale});
    if (common > kMostTicks) return kMicroseconds;
  }
  return static_cast<std::uint32_t>(common);
}

std::int64_t rescaled(std::int64_t ticks, std::uint32_t from, std::uint32_t to) {
  const std::int64_t whole = ticks / from, rest = ticks % from;
  const std::int64_t half = (rest < 0 ? -1 : 1) * static_cast<std::int64_t>(from / 2);
  std::int64_t seconds = 0, sum = 0;
  if (__builtin_mul_overflow(whole, std::int64_t{to}, &seconds) ||
      __builtin_add_overflow(seconds, (rest * to + half) / from, &sum) || std::abs(sum) > kLatest)
    throw ManifestError(fmt::format("the time {} with the timescale {} is beyond all times", ticks, from));
  return sum;
}

}  // namespace tributary
