#pragma once

#include <string>

#include "hls/media_playlist.hh"
#include "manifests/from_hls/hls_keys.hh"
#include "presentation/presentation.hh"

namespace tributary {

// Where the media of a playlist go on otherwise than before (presentation.hh, Stretch).

/// Names the init section of a segment, the same in every version of a playlist; "" without one.
std::string init_name(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment);
/// `segment`, which follows `before`, is behind a discontinuity, or has another init section.
bool goes_on_otherwise(const hls::MediaPlaylist& playlist, const hls::MediaSegment& before,
                       const hls::MediaSegment& segment);
/// How media go on from this segment of the playlist at `url` on. Its keys are known.
StretchStart stretch_start(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment, const std::string& url,
                           const HlsKeys& keys);

}  // namespace tributary
