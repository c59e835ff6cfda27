#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::hls {

/// One address of a list, which has a title or playlist of its own.
struct Channel {
  std::string name;  // one line of UTF-8; empty: the list has none
  std::string uri;   // as it stands in the list

  bool operator==(const Channel&) const = default;
};

/// Its address is that of a whole film or piece of music, by its suffix, and neither of a segment nor of a manifest.
bool is_file(const Channel& channel);

/// The entries of an M3U list that is no playlist of HLS: channels, as television by IP has them, or files. It begins with
/// #EXTM3U, and has no tag of HLS (EXT-X-). Its first EXTINF has a duration below 0, or attributes (`tvg-id="..."`), or its
/// first address is that of a file or manifest. Nothing: the text is no such list. Names that are no UTF-8 are taken for Latin-1. Throws
/// PlaylistError for a text beyond playlist_limits.hh.
std::optional<std::vector<Channel>> read_channels(std::string_view text);

}  // namespace tributary::hls
