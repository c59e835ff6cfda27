#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "hls/lines/playlist_error.hh"

namespace tributary::hls {

/// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

/// A tag with its value, or an address (RFC 8216 section 4.1). Refers to the text of the playlist.
struct PlaylistLine {
  std::size_t number = 0;  // counts from 1
  std::string_view tag;    // "EXTINF"; empty: the line is an address
  std::string_view value;  // what follows the colon, or the address; without blanks around it

  bool is_address() const { return tag.empty(); }
  /// Throws PlaylistError with this place.
  [[noreturn]] void refuse(std::string_view why) const;
};

/// In quotation marks, and shortened, for texts of errors.
std::string in_quotes(std::string_view text);

/// The lines of a playlist in order, without comments and blank lines. LF, CRLF and CR end a line; the last one needs
/// no end. A byte order mark and blanks around lines count for nothing. Lives no longer than the text.
class PlaylistLines {
 public:
  /// Throws PlaylistError if the text is too large, or does not begin with #EXTM3U.
  explicit PlaylistLines(std::string_view text);

  /// The line after #EXTM3U at first; nothing at the end. Throws PlaylistError at a line that is too long, and at one
  /// line too many.
  std::optional<PlaylistLine> next();

 private:
  std::optional<std::string_view> take_line();

  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Whether a playlist begins so: #EXTM3U, after a byte order mark or blanks. Ten bytes are enough without blanks.
bool looks_like_playlist(std::string_view first_bytes);

}  // namespace tributary::hls
