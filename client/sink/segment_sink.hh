#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "presentation/presentation.hh"
#include "units/data_size.hh"
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
  /// Bytes of one of its parts, as they come; some may come twice. take() has them again.
  virtual void arrive(SegmentIndex /*segment*/, std::uint32_t /*part*/, DataSize /*offset*/,
                      std::span<const std::byte> /*bytes*/) {}
};

}  // namespace tributary
