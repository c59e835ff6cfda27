#pragma once

#include <cstdint>
#include <string_view>

#include "hls/media_playlist.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// What a version of a playlist has last, and how soon more of it comes.
struct LiveEdge {
  bool holds = false;          // the origin holds answers (CAN-BLOCK-RELOAD)
  Duration part{}, segment{};  // their lengths; without parts that of segments, twice
  std::uint64_t sequence = 0;  // of the segment that is being made
  std::uint64_t parts = 0;     // of it that are there
};
LiveEdge edge_of(const hls::MediaPlaylist& playlist);

/// How long an origin may hold an answer to these directives ("_HLS_msn=5&_HLS_part=2"): until the segment or part is there, and
/// for half a part more, since encoders come at no exact times. At most three segments (draft-pantos-hls-rfc8216bis section
/// 6.2.5.2).
Duration held_for(std::string_view directives, const LiveEdge& edge);

}  // namespace tributary::proxy
