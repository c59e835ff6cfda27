#include "hls/playlist_reader.hh"

#include <fmt/format.h>

#include "hls/media_reader.hh"
#include "hls/multivariant_reader.hh"

namespace tributary::hls {
namespace {

enum class PlaylistKind { kMultivariant, kMedia };

/// The kind by the first tag that only one kind has. A tag of the other kind behind it is refused (RFC 8216
/// section 4.1).
PlaylistKind kind_of(PlaylistLines lines) {
  std::optional<PlaylistLine> deciding;
  PlaylistKind kind = PlaylistKind::kMedia;
  while (const auto line = lines.next()) {
    const bool of_media = is_media_tag(line->tag);
    if (!of_media && !is_multivariant_tag(line->tag)) continue;
    const PlaylistKind of_line = of_media ? PlaylistKind::kMedia : PlaylistKind::kMultivariant;
    if (!deciding) {
      deciding = line;
      kind = of_line;
    } else if (kind != of_line) {
      line->refuse(fmt::format("a playlist with {} (line {}) cannot have it", deciding->tag, deciding->number));
    }
  }
  if (!deciding) throw PlaylistError{"the playlist lists neither variants nor segments"};
  return kind;
}

}  // namespace

Playlist read_playlist(std::string_view text, const PlaylistVariables& variables) {
  const PlaylistLines lines{text};
  if (kind_of(lines) == PlaylistKind::kMultivariant) return read_multivariant(lines, variables);
  return read_media(lines, variables);
}

}  // namespace tributary::hls
