#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "hls/lines/playlist_lines.hh"

namespace tributary::hls {

using VariableValues = std::map<std::string, std::string, std::less<>>;

/// What EXT-X-DEFINE may take from outside of the playlist (draft-pantos-hls-rfc8216bis section 4.4.2.3).
struct PlaylistVariables {
  VariableValues of_multivariant;  // for IMPORT: MultivariantPlaylist::variables of the playlist that led here
  std::string query;               // for QUERYPARAM: "a=b&c=d" of the URL that the playlist came from
};

/// The variables of one playlist while it is read: those defined so far. Knows bounds on what they put into the text.
class VariableScope {
 public:
  explicit VariableScope(const PlaylistVariables& outside) : outside_{outside} {}

  /// EXT-X-DEFINE. Throws PlaylistError if the value is not known, or the name is defined already.
  void define(const PlaylistLine& line);
  /// The text with the values of its variables in place of "{$name}". Throws PlaylistError with the place of `line`
  /// if a variable is not defined, or the text gets too long.
  std::string substituted(std::string_view text, const PlaylistLine& line);
  const VariableValues& values() const { return values_; }

 private:
  const PlaylistVariables& outside_;
  VariableValues values_;
  std::size_t substituted_size_ = 0;
};

}  // namespace tributary::hls
