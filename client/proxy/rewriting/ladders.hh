#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "hls/multivariant_playlist.hh"
#include "proxy/rewriting/mpd_rewriting.hh"
#include "units/data_rate.hh"

namespace tributary::proxy {

/// A rendition of the picture, as a manifest offers it.
struct Rung {
  std::string manifest;         // that lists its segments, as it is asked for
  std::uint32_t rendition = 0;  // there
  DataRate bitrate;
  int height = 0;                   // of the picture; 0: not stated
  std::vector<std::size_t> offers;  // which EXT-X-STREAM-INF, or Representation, of the text; variants differ in sounds
};

/// Renditions of the same picture, by codecs of the same kinds, which differ in their bitrates.
struct Ladder {
  std::vector<Rung> rungs;               // the lowest bitrate first
  std::vector<std::size_t> dispensable;  // further offers: sound without the picture, the same files elsewhere
};

/// `key`: the name of a playlist among manifests, from what the text calls it.
std::vector<Ladder> ladders_of(const hls::MultivariantPlaylist& playlist,
                               const std::function<std::optional<std::string>(const std::string& uri)>& key,
                               const std::function<DataRate(const hls::Variant&)>& bitrate);
/// Of each set of pictures, also of later periods. `manifest`: the name of the MPD.
std::vector<Ladder> ladders_of(const dash::Mpd& mpd, const std::vector<RepresentationPlace>& representations,
                               const std::string& manifest);

}  // namespace tributary::proxy
