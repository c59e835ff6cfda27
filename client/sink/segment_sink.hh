#pragma once

#include <cstddef>
#include <span>

#include "presentation/presentation.hh"
#include "units/identifiers.hh"

namespace tributary {

/// One file's worth of a segment: sound or picture, or what a decoder needs before it.
struct MediaPart {
  TrackKind kind{};
  bool init = false;
  std::span<const std::byte> bytes;  // borrowed until the call returns
};

/// Takes complete segments, in playout order unless the session is a download: a file, a player.
class SegmentSink {
 public:
  virtual ~SegmentSink() = default;
  virtual void take(SegmentIndex segment, std::span<const MediaPart> parts) = 0;
};

}  // namespace tributary
