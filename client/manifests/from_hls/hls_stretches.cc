#include "manifests/from_hls/hls_stretches.hh"

#include <fmt/format.h>

#include "manifests/listed_track.hh"

namespace tributary {

std::string init_name(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment) {
  if (!segment.map) return "";
  const hls::InitSection& map = playlist.maps[*segment.map];
  std::string name = map.uri;
  if (map.range) name += fmt::format(" {}-{}", map.range->begin.bytes(), map.range->end.bytes());
  if (map.key) name += fmt::format(" {}", playlist.keys[*map.key].uri);
  return name;
}

bool goes_on_otherwise(const hls::MediaPlaylist& playlist, const hls::MediaSegment& before,
                       const hls::MediaSegment& segment) {
  if (segment.discontinuity != before.discontinuity) return true;
  return segment.map != before.map && init_name(playlist, segment) != init_name(playlist, before);
}

StretchStart stretch_start(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment, const std::string& url,
                           const HlsKeys& keys) {
  if (!segment.map) return {};
  const hls::InitSection& map = playlist.maps[*segment.map];
  Resource init = init_section(absolute_url(url, map.uri), map.range);
  init.cipher = keys.of(playlist, map, url);
  return {std::move(init), 0};
}

}  // namespace tributary
