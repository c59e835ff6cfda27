#pragma once

#include <map>
#include <optional>
#include <string>

#include "proxy/rewriting/media_file.hh"

namespace tributary::proxy {

/// Decides whether to fetch ahead the segment behind the one that a player asks for. A player that plays asks for the
/// segments of a title in order, also when it changes the quality; one that begins, probes all renditions (FFmpeg) or
/// seeks does not, and would have to wait for a segment that it does not want.
class NextGuess {
 public:
  struct Guess {
    bool fetch_ahead = false;                  // the player has asked in order for the last kInOrder times
    std::optional<MediaFile> not_wanted = {};  // was expected until now: the player asks for another one in its place
  };
  /// A player asks for `file`, behind which `next` is. `ladder`: the same for all renditions among which it may change.
  Guess asked(const std::string& ladder, const MediaFile& file, const std::optional<MediaFile>& next);

 private:
  static constexpr unsigned kInOrder = 2;

  std::map<std::string, std::optional<MediaFile>> next_;  // by ladder
  unsigned in_order_ = 0;
};

}  // namespace tributary::proxy
