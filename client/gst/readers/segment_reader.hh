#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/gst_handles.hh"
#include "presentation/presentation.hh"
#include "units/media_bytes.hh"

namespace tributary {

using SharedBytes = std::shared_ptr<const MediaBytes>;

/// One frame of picture or sound for a decoder; times of the media, in ticks of its stream.
struct ReadSample {
  GstHandle<GstBuffer> buffer;  // without times
  std::int64_t shown = 0, duration = 0;
};

/// The picture or the sound of a segment.
struct ReadStream {
  TrackKind kind = TrackKind::kVideo;  // or kAudio
  GstHandle<GstCaps> caps;
  std::uint32_t timescale = 1;      // ticks per second
  std::int64_t wrap = 0;            // times begin again from zero after so many ticks; 0: never
  bool timed = true;                // else the first sample is at 0, and the segment says nothing of its place
  std::vector<ReadSample> samples;  // in decoding order

  /// When the first sample is shown or heard that can be decoded without others; there must be a sample. Pictures in
  /// front of it, which are decoded later, belong to the segment before.
  std::int64_t begin() const;
};

/// The samples of a segment.
struct ReadSegment {
  std::vector<ReadStream> streams;    // at most one of a kind; also those that have no sample in this segment
  std::optional<std::string> damage;  // a fault that kept further samples from being read; nothing: none
};

/// Takes segments of one track apart into samples. Knows one form of segments, and nothing of the presentation's
/// timeline.
class SegmentReader {
 public:
  virtual ~SegmentReader() = default;
  /// Never throws for what the bytes hold: samples in front of a fault are given. Buffers may share the bytes.
  virtual ReadSegment read(const SharedBytes& bytes) const = 0;
};

}  // namespace tributary
