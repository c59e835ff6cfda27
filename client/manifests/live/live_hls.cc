#include "manifests/live/live_hls.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/manifest.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPlaylistsTogether = 16;
constexpr Duration kShortestTarget = 200ms, kLongestTarget = 60s;

std::int64_t length_of(std::span<const hls::MediaSegment> segments) {
  Duration length{};
  for (const hls::MediaSegment& segment : segments) length += segment.duration;
  return hls_ticks(length);
}

/// Where the init segment is, as text that can be compared between versions of a playlist.
std::string map_of(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment) {
  if (!segment.map) return "";
  const hls::InitSection& map = playlist.maps[*segment.map];
  return map.range ? fmt::format("{} {}-{}", map.uri, map.range->begin.bytes(), map.range->end.bytes()) : map.uri;
}

ListedSegment listed(const hls::MediaSegment& segment, const std::string& url, std::int64_t start) {
  return {segment.gap ? "" : absolute_url(url, segment.uri), segment.range, start, hls_ticks(segment.duration),
          segment.bitrate};
}

}  // namespace

std::int64_t hls_ticks(Duration time) { return std::llround(to_seconds(time) * kHlsTimescale); }

std::string hls_query(const std::string& url) {
  const auto begin = url.find('?');
  if (begin == std::string::npos) return "";
  return url.substr(begin + 1, url.find('#', begin) - begin - 1);
}

LiveHls::LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, UtcTime now)
    : variables_{std::move(played.variables)} {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition rendition;
    rendition.listed = std::move(played.playlists[i]);
    rendition.fetched = now;
    try {
      begin(rendition, read(files[i]), files[i].url);
    } catch (const std::runtime_error& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    renditions_.push_back(std::move(rendition));
  }
  zero_ = zero_date_.value_or(now - std::chrono::floor<std::chrono::milliseconds>(
                                        from_seconds(static_cast<double>(renditions_.front().end()) / kHlsTimescale)));
  leave_out_what_differs();
}

/// Throws ManifestError, or UnreadableForNow.
hls::MediaPlaylist LiveHls::read(const FetchedFile& file) const {
  try {
    hls::Playlist read = hls::read_playlist(file.bytes, {variables_, hls_query(file.url)});
    auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw UnreadableForNow{"this is no media playlist"};
    if (media->segments.empty()) throw UnreadableForNow{"there is no segment"};
    if (const auto why = hls::why_unplayable(*media)) throw ManifestError{*why};
    if (!media->keys.empty()) throw ManifestError{"segments encrypted with AES-128 cannot be played yet"};
    return std::move(*media);
  } catch (const hls::PlaylistError& error) {
    throw UnreadableForNow{error.what()};
  }
}

std::optional<std::int64_t> LiveHls::dated(const hls::MediaSegment& segment) const {
  if (!segment.date || !zero_date_) return std::nullopt;
  return hls_ticks(*segment.date - *zero_date_);
}

/// What comes behind the last discontinuity.
void LiveHls::begin(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  std::size_t first = all.size() - 1;
  while (first > 0 && all[first - 1].discontinuity == all.back().discontinuity &&
         map_of(playlist, all[first - 1]) == map_of(playlist, all.back()))
    --first;
  const std::span<const hls::MediaSegment> segments = std::span{all}.subspan(first);
  if (renditions_.empty()) {
    zero_date_ = segments.front().date;
    delay_ = playlist.server_control.hold_back;
    if (!delay_ && playlist.start && playlist.start->offset < Duration{}) delay_ = -playlist.start->offset;
  }
  rendition.first = segments.front().sequence;
  std::int64_t start = renditions_.empty() ? 0 : first_start(playlist, first, length_of(segments));
  if (first > 0) rendition.stretch = start;
  for (const hls::MediaSegment& segment : segments) {
    start = rendition.segments.empty() ? start : dated(segment).value_or(start);
    rendition.segments.push_back(listed(segment, url, start));
    start += rendition.segments.back().duration;
  }
  rendition.map = map_of(playlist, all.back());
  if (const auto& map = all.back().map)
    rendition.listed.track.init = init_section(absolute_url(url, playlist.maps[*map].uri), playlist.maps[*map].range);
  rendition.listed.track.timescale = kHlsTimescale;
  rendition.target = std::clamp(playlist.target_duration, kShortestTarget, kLongestTarget);
  rendition.ended = playlist.ended;
}

/// Where a further playlist begins on the timeline of the first one. `length`: of its segments.
std::int64_t LiveHls::first_start(const hls::MediaPlaylist& playlist, std::size_t first, std::int64_t length) const {
  const Rendition& known = renditions_.front();
  const hls::MediaSegment& segment = playlist.segments[first];
  if (const auto start = dated(segment)) return *start;
  if (first > 0 && known.stretch) return *known.stretch;
  const std::int64_t at_end = known.end() - length, duration = hls_ticks(segment.duration);
  const std::uint64_t both = std::max(segment.sequence, known.first);
  if (both > playlist.segments.back().sequence || both >= known.next_number()) return at_end;
  const ListedSegment& same = known.segments[both - known.first];
  const std::span before = std::span{playlist.segments}.subspan(first, both - segment.sequence);
  const std::int64_t by_number = same.start - length_of(before);
  const bool alike = std::abs(same.duration - duration) <= duration / 4;
  return alike && std::abs(by_number - at_end) <= 2 * duration ? by_number : at_end;
}

/// Qualities that are cut at other places than the first one, or have another codec.
void LiveHls::leave_out_what_differs() {
  const Listing all = list({}, -24h);
  const ListedTrack& first = all.tracks.front();
  std::vector<Rendition> played;
  for (std::size_t i = 0; i < all.tracks.size(); ++i) {
    const ListedTrack& listed = all.tracks[i];
    std::optional<std::string> why;
    if (i > 0 && listed.track.kind == TrackKind::kVideo)
      why = listed.track.group == first.track.group ? why_not_switchable(listed, first)
                                                    : fmt::format("has another codec than {}", first.track.id);
    if (why) {
      left_out_.push_back(fmt::format("{}: {}", listed.track.id, *why));
    } else {
      played.push_back(std::move(renditions_[i]));
    }
  }
  renditions_ = std::move(played);
}

Listing LiveHls::list(UtcTime /*now*/, Duration after) {
  Listing listing;
  listing.complete = true;
  const double least = to_seconds(after);
  for (const Rendition& rendition : renditions_) {
    ListedTrack& track = listing.tracks.emplace_back(ListedTrack{rendition.listed.track, {}});
    for (const ListedSegment& segment : rendition.segments) {
      if (static_cast<double>(segment.start + segment.duration) / kHlsTimescale > least)
        track.segments.push_back(segment);
    }
    if (rendition.listed.track.kind != TrackKind::kVideo) continue;
    listing.complete = listing.complete && rendition.ended;
    listing.window_begin = std::max(
        listing.window_begin, from_seconds(static_cast<double>(rendition.segments.front().start) / kHlsTimescale));
  }
  return listing;
}

UtcTime LiveHls::Rendition::due() const {
  return fetched + std::chrono::ceil<std::chrono::milliseconds>(grew ? target : target / 2);
}

std::optional<UtcTime> LiveHls::next_due() const {
  std::optional<UtcTime> next;
  for (const Rendition& rendition : renditions_) {
    if (!rendition.ended) next = std::min(next.value_or(rendition.due()), rendition.due());
  }
  return next;
}

/// Those that are nearly due come along.
std::vector<WantedFile> LiveHls::due(UtcTime now) {
  asked_.clear();
  const auto next = next_due();
  if (!next || *next > now) return {};
  std::vector<WantedFile> wanted;
  for (std::size_t i = 0; i < renditions_.size() && wanted.size() < kPlaylistsTogether; ++i) {
    const Rendition& rendition = renditions_[i];
    if (rendition.ended || rendition.due() - rendition.target / 8 > now) continue;
    asked_.push_back(i);
    wanted.push_back({rendition.listed.url, std::nullopt});
  }
  return wanted;
}

void LiveHls::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime /*now*/) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition& rendition = renditions_[asked_[i]];
    const std::uint64_t known = rendition.next_number();
    try {
      if (!files[i].unchanged) go_on(rendition, read(files[i]), files[i].url);
    } catch (const UnreadableForNow& error) {
      throw UnreadableForNow{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    } catch (const ManifestError& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    rendition.grew = rendition.next_number() > known;
    rendition.fetched = sent;
  }
}

/// A playlist that is older than the known one, which a cache may give out, changes nothing.
void LiveHls::go_on(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) const {
  const std::vector<hls::MediaSegment>& all = playlist.segments;
  if (all.back().sequence + 1 < rendition.next_number()) return;
  rendition.ended = playlist.ended;
  rendition.target = std::clamp(playlist.target_duration, kShortestTarget, kLongestTarget);
  const std::uint64_t known = rendition.next_number();
  std::vector<ListedSegment> segments;
  std::uint64_t first = all.front().sequence;
  std::int64_t end = rendition.end();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const hls::MediaSegment& segment = all[i];
    if (segment.sequence < known) {
      if (segment.sequence < rendition.first) {
        first = segment.sequence + 1;  // of a stretch before
      } else {
        segments.push_back(rendition.segments[segment.sequence - rendition.first]);
      }
      continue;
    }
    if ((i > 0 && segment.discontinuity != all[i - 1].discontinuity) || map_of(playlist, segment) != rendition.map)
      throw ManifestError{"another stretch begins (EXT-X-DISCONTINUITY), which cannot be played yet"};
    const auto unseen = static_cast<std::int64_t>(i == 0 ? segment.sequence - known : 0);
    const std::int64_t expected = end + unseen * hls_ticks(rendition.target);
    const std::int64_t tolerance = unseen > 0 ? expected - end : hls_ticks(segment.duration) / 2;
    const std::int64_t start = dated(segment).value_or(expected);
    segments.push_back(listed(segment, url, std::abs(start - expected) <= tolerance ? start : expected));
    end = segments.back().start + segments.back().duration;
  }
  rendition.first = first;
  rendition.segments = std::move(segments);
}

}  // namespace tributary
