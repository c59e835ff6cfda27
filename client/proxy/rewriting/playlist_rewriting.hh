#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "hls/lines/playlist_variables.hh"
#include "proxy/rewriting/name_writer.hh"

namespace tributary::proxy {

struct RewrittenPlaylist {
  std::string text;
  bool multivariant = false;
  bool ended = false;       // EXT-X-ENDLIST
  std::size_t skipped = 0;  // segments before those of the text (EXT-X-SKIP)
};

/// What the playlists of others say of a playlist, and what is outside of it.
struct PlaylistContext {
  hls::PlaylistVariables outside;
  FileKind segments = FileKind::kMedia;
};

/// A playlist (RFC 8216 and draft-pantos-hls-rfc8216bis) with local names: address lines, every attribute URI of a tag,
/// and the names of interstitials (X-ASSET-URI, X-ASSET-LIST, and X-URI of one to fetch ahead). Variables are replaced by
/// their values, and their definitions left out, as is EXT-X-CONTENT-STEERING: its pathways would lead past the proxy. All
/// else stays byte for byte, and need not be known. Segments are announced at rendition 0. Throws PlaylistError with the
/// place, and ManifestError beyond a bound.
RewrittenPlaylist rewrite_playlist(const std::string& text, const Base& document, const PlaylistContext& context,
                                   NameWriter& writer);

/// A delta update as a playlist that begins behind the segments that it leaves out (EXT-X-SKIP), so many of them. Throws
/// PlaylistError.
std::string without_skipped(const std::string& text, std::size_t skipped);

/// A rewritten multivariant playlist without those of its variants, by the number of their EXT-X-STREAM-INF. Throws
/// PlaylistError.
std::string without_variants(const std::string& text, const std::set<std::size_t>& left_out);

}  // namespace tributary::proxy
