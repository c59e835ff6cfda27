#pragma once

#include <string_view>

#include "hls/lines/playlist_variables.hh"
#include "hls/media_playlist.hh"

namespace tributary::hls {

/// Whether only a media playlist has such a tag.
bool is_media_tag(std::string_view tag);

/// Reads a media playlist, whatever else its lines are. `before`: as read_playlist has it. Throws PlaylistError.
MediaPlaylist read_media(PlaylistLines lines, const PlaylistVariables& outside, const MediaPlaylist* before);

}  // namespace tributary::hls
