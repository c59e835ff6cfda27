#pragma once

#include <string>

#include "presentation/presentation.hh"

/// What playlists say of parts, for players of Low-Latency HLS (draft-pantos-hls-rfc8216bis). The playlists are for any web
/// server: nothing in them asks for a server that holds requests back.
namespace tributary::segmenter {

/// A second, in the microseconds of playlists.
inline constexpr int kHlsTicks = 1000000;

/// PART-TARGET in microseconds, the same in all playlists of a presentation with parts. No part lasts longer.
std::int64_t part_target(const Presentation& presentation);

/// EXT-X-SERVER-CONTROL and EXT-X-PART-INF. `target_duration`: EXT-X-TARGETDURATION.
std::string hls_part_head(const Presentation& presentation, std::int64_t target_duration);

/// EXT-X-PART for each part of the segment with that number; empty if none is listed. `begin`: ticks of the timeline at
/// which the segment starts.
std::string hls_parts_of(const Track& track, std::uint64_t segment, std::uint64_t begin);

/// EXT-X-RENDITION-REPORT for the playlists of other tracks; empty if no part is listed. There is no EXT-X-PRELOAD-HINT: a
/// server that holds no requests back would answer that nothing is there.
std::string hls_part_tail(const Presentation& presentation, const Track& track);

/// "1.500000": a duration in a playlist.
std::string hls_seconds(std::int64_t microseconds);

/// Turns a name relative to the index into a name relative to the playlist in that folder.
std::string below_playlist(const std::string& folder, const std::string& uri);

}  // namespace tributary::segmenter
