#pragma once

#include "units/session_clock.hh"

namespace tributary::hls {

/// EXT-X-START (RFC 8216 section 4.3.5.2): where playout is to begin.
struct PlaylistStart {
  Duration offset{};  // from the start of the playlist; negative: from its end
  bool precise = false;

  bool operator==(const PlaylistStart&) const = default;
};

}  // namespace tributary::hls
