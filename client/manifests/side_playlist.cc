#include "manifests/side_playlist.hh"

#include <algorithm>
#include <optional>

#include "hls/playlist_reader.hh"
#include "manifests/listed_track.hh"
#include "manifests/live/live_hls.hh"
#include "manifests/manifest.hh"
#include "transport/connections/origin.hh"

namespace tributary {
namespace {

/// Where a sheet has no EXT-X-TILES, it is one picture.
Tiles tiles_of(const hls::MediaSegment& segment) {
  if (!segment.tiles) return {};
  const hls::Tiles& stated = *segment.tiles;
  return {static_cast<int>(stated.layout.width), static_cast<int>(stated.layout.height), stated.duration};
}

std::optional<Resource> init_of_side_file(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment,
                                          const std::string& url) {
  if (!segment.map) return std::nullopt;
  const hls::InitSection& map = playlist.maps[*segment.map];
  return file_at(absolute_url(url, map.uri), map.range);
}

SideFiles side_files(const hls::MediaPlaylist& playlist, const std::string& url) {
  if (!playlist.ended) throw ManifestError{"this playlist goes on (no EXT-X-ENDLIST)"};
  SideFiles side;
  Duration start{};
  for (const hls::MediaSegment& segment : playlist.segments) {
    const Duration begin = start;
    start += segment.duration;
    if (segment.gap) continue;
    if (segment.key) throw ManifestError{"these files are encrypted, and only picture and sound are decrypted"};
    SideStretch stretch{init_of_side_file(playlist, segment, url), std::nullopt};
    if (side.stretches.empty() || side.stretches.back() != stretch) side.stretches.push_back(std::move(stretch));
    side.files.push_back({file_at(absolute_url(url, segment.uri), segment.range), begin, segment.duration,
                          side.stretches.size() - 1, tiles_of(segment)});
  }
  return side;
}

}  // namespace

SideFiles files_of_side_playlist(const std::string& playlist, const std::string& url,
                                 const hls::VariableValues& variables) {
  try {
    const hls::Playlist read = hls::read_playlist(playlist, {variables, hls_query(url)});
    const auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw ManifestError{"this is no media playlist"};
    return side_files(*media, url);
  } catch (const hls::PlaylistError& error) {
    throw ManifestError{error.what()};
  } catch (const transport::UrlError& error) {
    throw ManifestError{error.what()};
  }
}

}  // namespace tributary
