#pragma once

#include <string>
#include <string_view>

#include "hls/playlist_reader.hh"
#include "support/refusal.hh"

namespace tributary::hls {

/// The text as a media playlist, "#EXTM3U" put before it: line 2 is its first.
inline MediaPlaylist media(const std::string& lines, const PlaylistVariables& variables = {}) {
  return std::get<MediaPlaylist>(read_playlist("#EXTM3U\n" + lines, variables));
}
inline MultivariantPlaylist multivariant(const std::string& lines, const PlaylistVariables& variables = {}) {
  return std::get<MultivariantPlaylist>(read_playlist("#EXTM3U\n" + lines, variables));
}

/// What the error says, "#EXTM3U" put before the text; or "accepted".
inline std::string refusal(const std::string& lines, const PlaylistVariables& variables = {}) {
  return testing::refusal_by<PlaylistError>([&] { read_playlist("#EXTM3U\n" + lines, variables); });
}

inline std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

inline const std::string kSegment = "#EXTINF:2,\na.ts\n";

}  // namespace tributary::hls
