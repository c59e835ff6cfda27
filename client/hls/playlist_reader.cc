#include "hls/playlist_reader.hh"

#include <fmt/format.h>

#include "hls/media_reader.hh"
#include "hls/multivariant_reader.hh"
#include "units/utf16.hh"

namespace tributary::hls {
namespace {

enum class PlaylistKind { kMultivariant, kMedia };

/// By the list that it is, of segments or of variants; a playlist that is both is refused (RFC 8216 section 4.1). Else by
/// the first tag that only one kind has: some packagers write those of both.
PlaylistKind kind_of(PlaylistLines lines) {
  std::optional<PlaylistLine> lists;
  std::optional<PlaylistKind> kind;
  while (const auto line = lines.next()) {
    const bool of_media = is_media_tag(line->tag);
    if (!of_media && !is_multivariant_tag(line->tag)) continue;
    const PlaylistKind of_line = of_media ? PlaylistKind::kMedia : PlaylistKind::kMultivariant;
    if (line->tag != "EXTINF" && line->tag != "EXT-X-STREAM-INF") {
      if (!kind) kind = of_line;
    } else if (!lists) {
      lists = line;
      kind = of_line;
    } else if (lists->tag != line->tag) {
      line->refuse(fmt::format("a playlist with {} (line {}) cannot have it", lists->tag, lists->number));
    }
  }
  if (!kind) throw PlaylistError{"the playlist lists neither variants nor segments"};
  return *kind;
}

}  // namespace

Playlist read_playlist(std::string_view text, const PlaylistVariables& variables) {
  if (const auto utf8 = from_utf16(text)) return read_playlist(*utf8, variables);
  const PlaylistLines lines{text};
  if (kind_of(lines) == PlaylistKind::kMultivariant) return read_multivariant(lines, variables);
  return read_media(lines, variables);
}

}  // namespace tributary::hls
