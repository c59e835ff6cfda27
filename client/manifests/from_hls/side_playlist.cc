#include "manifests/from_hls/side_playlist.hh"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/from_hls/hls_stretches.hh"
#include "manifests/listed_track.hh"
#include "manifests/live/hls_timeline.hh"
#include "manifests/manifest.hh"

namespace tributary {
namespace {

constexpr Duration kNoSegmentYet = std::chrono::seconds{2};     // between two looks
constexpr Duration kKeptBehindList = std::chrono::minutes{10};  // a player may be behind the playlist

/// Where a sheet has no EXT-X-TILES, it is one picture.
Tiles tiles_of(const hls::MediaSegment& segment) {
  if (!segment.tiles) return {};
  const hls::Tiles& stated = *segment.tiles;
  return {static_cast<int>(stated.layout.width), static_cast<int>(stated.layout.height), stated.duration};
}

SideFiles on_demand_files(const hls::MediaPlaylist& playlist, const std::string& url, const HlsKeys& keys) {
  if (!playlist.ended) throw ManifestError{"this playlist goes on (no EXT-X-ENDLIST), and the title does not"};
  SideFiles side;
  UrlResolver resolve;
  Duration start{};
  for (const hls::MediaSegment& segment : playlist.segments) {
    const Duration begin = start;
    start += segment.duration;
    if (segment.gap) continue;
    SideStretch stretch{stretch_start(playlist, segment, url, keys).init, std::nullopt};
    if (side.stretches.empty() || side.stretches.back() != stretch) side.stretches.push_back(std::move(stretch));
    Resource file = file_at(resolve(url, segment.uri), segment.range);
    file.cipher = keys.of(playlist, segment, url);
    side.files.push_back({std::move(file), begin, segment.duration, side.stretches.size() - 1, tiles_of(segment)});
  }
  return side;
}

SideFiles live_files(const HlsRendition& known) {
  const auto time = [](std::int64_t ticks) { return from_seconds(static_cast<double>(ticks) / kHlsTimescale); };
  SideFiles side;
  std::map<std::uint32_t, std::size_t> numbers;
  for (const auto& [number, beginning] : known.stretches) {
    numbers[number] = side.stretches.size();
    side.stretches.push_back({beginning.how.init, std::nullopt});
  }
  for (const ListedSegment& segment : known.segments) {
    if (segment.url.empty()) continue;  // a gap
    Resource file = file_at(segment.url, segment.range);
    file.cipher = segment.cipher;
    side.files.push_back(
        {std::move(file), time(segment.start), time(segment.duration), numbers.at(segment.stretch), {}});
  }
  return side;
}

}  // namespace

void SidePlaylist::take(const std::string& text, const std::string& url, const FetchFiles& fetch, SideList& into) {
  try {
    const hls::Playlist read = hls::read_playlist(text, {variables_, hls_query(url)});
    const auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw ManifestError{"this is no media playlist"};
    if (const auto why = hls::why_unplayable(*media)) throw ManifestError{*why};
    keys_.fetch(*media, url, fetch);
    if (timeline_)
      take_live(*media, url, into);
    else
      into.add(on_demand_files(*media, url, keys_));
  } catch (const hls::PlaylistError& error) {
    throw ManifestError{error.what()};
  }
}

void SidePlaylist::take_live(const hls::MediaPlaylist& playlist, const std::string& url, SideList& into) {
  const auto beside = timeline_->first();
  const std::uint64_t before = known_ ? known_->next_number() : 0;
  if (!playlist.segments.empty()) {
    HlsRendition next = known_.value_or(HlsRendition{});
    if (known_)
      next.go_on({playlist, url, keys_}, beside.get());
    else
      next.begin({playlist, url, keys_}, beside.get());
    known_ = std::move(next);
  }
  const bool grew = known_ && known_->next_number() > before;
  const Duration target = known_ ? known_->target : std::max(playlist.target_duration, kNoSegmentYet);
  again_after_ = playlist.ended ? std::nullopt : std::optional{grew ? target : target / 2};
  if (!known_) return;
  const SideFiles files = live_files(*known_);
  into.add(files);
  if (!files.files.empty()) into.drop_before(files.files.front().start - kKeptBehindList);
}

}  // namespace tributary
