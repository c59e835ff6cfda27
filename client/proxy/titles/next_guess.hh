#pragma once

#include <map>
#include <optional>
#include <string>

#include "proxy/rewriting/media_file.hh"

namespace tributary::proxy {

/// Decides whether to fetch ahead the segment behind the one that a player asks for. A player that plays asks for the
/// segments of a rendition in order; one that begins, probes all renditions (FFmpeg), seeks or changes quality does not,
/// and would have to wait for a segment that it does not want.
class NextGuess {
 public:
  /// A player asks for `file`, behind which `next` is. True: it has asked in order for the last kInOrder times.
  bool asked(const MediaFile& file, const std::optional<MediaFile>& next);

 private:
  static constexpr unsigned kInOrder = 2;

  std::map<std::string, std::optional<MediaFile>> next_;  // by rendition
  unsigned in_order_ = 0;
};

}  // namespace tributary::proxy
