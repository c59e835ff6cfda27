#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playback/stream.hh"

namespace tributary::play {

/// The names of tracks in the menus. No two tracks of a kind have the same name.
struct TrackNames {
  struct Choice {
    std::size_t track;  // index into Presentation::tracks
    std::string name;
  };
  std::vector<std::string> qualities;  // by QualityIndex, lowest first: "360p", "720p"
  std::vector<Choice> sounds, texts;   // "English", "German · stereo-2"

  /// "720p"; empty for an unknown one.
  std::string quality(std::optional<QualityIndex> index) const;
};

TrackNames track_names(const StreamInfo& info);

}  // namespace tributary::play
