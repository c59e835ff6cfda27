#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "presentation/presentation.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/media_bytes.hh"

namespace tributary {

/// One part of a segment: its sound, its picture, or an init segment.
struct MediaPart {
  std::size_t track = 0;  // index into Presentation::tracks
  TrackKind kind{};
  bool init = false;
  MediaBytes bytes;        // none, for a sink that takes bytes as they arrive
  SegmentIndex segment{};  // of the track; of an init segment: the first that needs it
  DataSize size{};
};

/// Takes complete segments, for a file or a player. They come in playout order, unless the session is a download.
class SegmentSink {
 public:
  virtual ~SegmentSink() = default;
  virtual void take(SegmentIndex segment, std::vector<MediaPart> parts) = 0;
  /// Frames of a segment that plays, or is shown, while it comes; with the first ones, its other parts. The frames are a segment
  /// of their own, and follow those before.
  virtual void take_frames(SegmentIndex segment, std::vector<MediaPart> parts, bool /*first*/) {
    take(segment, std::move(parts));
  }
  /// All of a segment whose frames have come by take_frames().
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a sink that wants them keeps them
  virtual void came_whole(SegmentIndex /*segment*/, std::vector<MediaPart> /*parts*/) {}
  /// False: take() need not bring bytes, because the sink has kept what arrived.
  virtual bool wants_whole() const { return true; }
  /// Bytes of a part of the segment, in the order of their arrival. Some may come twice.
  virtual void arrive(SegmentIndex /*segment*/, std::uint32_t /*part*/, DataSize /*offset*/,
                      std::span<const std::byte> /*bytes*/) {}
};

}  // namespace tributary
