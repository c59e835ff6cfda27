#pragma once

#include <cstddef>
#include <vector>

#include "presentation/presentation.hh"
#include "units/identifiers.hh"

namespace tributary {

/// One file's worth of a segment: sound or picture, or what a decoder needs before it.
struct MediaPart {
  std::size_t track = 0;  // index into Presentation::tracks
  TrackKind kind{};
  bool init = false;
  std::vector<std::byte> bytes;
};

/// Takes complete segments, in playout order unless the session is a download: a file, a player.
class SegmentSink {
 public:
  virtual ~SegmentSink() = default;
  virtual void take(SegmentIndex segment, std::vector<MediaPart> parts) = 0;
};

}  // namespace tributary
