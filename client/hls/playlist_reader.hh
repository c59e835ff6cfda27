#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "hls/lines/playlist_error.hh"
#include "hls/lines/playlist_lines.hh"
#include "hls/media_playlist.hh"
#include "hls/multivariant_playlist.hh"

namespace tributary::hls {

using Playlist = std::variant<MultivariantPlaylist, MediaPlaylist>;

enum class PlaylistKind { kMultivariant, kMedia };

/// By the first list that it is, of segments or of variants. Else by the first tag that only one kind has: some packagers
/// write those of both. Nothing: it has no such tag.
std::optional<PlaylistKind> playlist_kind(PlaylistLines lines);

/// Reads a playlist of HTTP Live Streaming (RFC 8216 and draft-pantos-hls-rfc8216bis; docs/manifests.md, "HLS" lists
/// the tags). Tolerant where other players are, strict where playing on would give wrong bytes or times. Throws
/// PlaylistError with the place: also for a text that is neither kind of playlist, or both, and for one beyond
/// playlist_limits.hh.
///
/// `before`: an earlier version of the same media playlist; null: none. A text that leaves out segments of it (EXT-X-SKIP) is
/// read as if it listed them. One that leaves out others throws, too.
Playlist read_playlist(std::string_view text, const PlaylistVariables& variables = {},
                       const MediaPlaylist* before = nullptr);

}  // namespace tributary::hls
