#pragma once

#include <string_view>

#include "hls/multivariant_playlist.hh"

namespace tributary::hls {

/// Whether only a multivariant playlist has such a tag.
bool is_multivariant_tag(std::string_view tag);

/// Reads a multivariant playlist, whatever else its lines are. Throws PlaylistError.
MultivariantPlaylist read_multivariant(PlaylistLines lines, const PlaylistVariables& outside);

}  // namespace tributary::hls
