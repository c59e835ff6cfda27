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

/// The channels of an M3U list, as television by IP has it. Players of HLS find no segments in it. It begins with
/// #EXTM3U, has no tag of HLS (EXT-X-), and its first EXTINF has a duration below 0, or attributes (`tvg-id="..."`). Nothing:
/// the text is no such list. Names that are no UTF-8 are taken for Latin-1. Throws PlaylistError for a text beyond
/// playlist_limits.hh.
std::optional<std::vector<Channel>> read_channels(std::string_view text);

}  // namespace tributary::hls
