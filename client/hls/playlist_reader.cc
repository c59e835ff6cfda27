#include "hls/playlist_reader.hh"

#include <fmt/format.h>

#include "hls/media_reader.hh"
#include "hls/multivariant_reader.hh"
#include "units/text/utf16.hh"

namespace tributary::hls {
namespace {

constexpr std::string_view kListsSegments = "EXTINF", kListsVariants = "EXT-X-STREAM-INF";

bool is_list(const PlaylistLine& line) { return line.tag == kListsSegments || line.tag == kListsVariants; }

/// RFC 8216 section 4.1.
void refuse_both_lists(PlaylistLines lines) {
  std::optional<PlaylistLine> first;
  while (const auto line = lines.next()) {
    if (!is_list(*line)) continue;
    if (!first) first = line;
    if (first->tag != line->tag)
      line->refuse(fmt::format("a playlist with {} (line {}) cannot have it", first->tag, first->number));
  }
}

}  // namespace

std::optional<PlaylistKind> playlist_kind(PlaylistLines lines) {
  std::optional<PlaylistKind> kind;
  while (const auto line = lines.next()) {
    const bool of_media = is_media_tag(line->tag);
    if (!of_media && !is_multivariant_tag(line->tag)) continue;
    const PlaylistKind of_line = of_media ? PlaylistKind::kMedia : PlaylistKind::kMultivariant;
    if (is_list(*line)) return of_line;
    if (!kind) kind = of_line;
  }
  return kind;
}

Playlist read_playlist(std::string_view text, const PlaylistVariables& variables, const MediaPlaylist* before) {
  if (const auto utf8 = from_utf16(text)) return read_playlist(*utf8, variables, before);
  const PlaylistLines lines{text};
  const auto kind = playlist_kind(lines);
  if (!kind) throw PlaylistError{"the playlist lists neither variants nor segments"};
  refuse_both_lists(lines);
  if (*kind == PlaylistKind::kMultivariant) return read_multivariant(lines, variables);
  return read_media(lines, variables, before);
}

}  // namespace tributary::hls
