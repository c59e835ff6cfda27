#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gst/gst_handles.hh"
#include "media/cmaf_reader.hh"
#include "media/track_clock.hh"
#include "playback/media_segment.hh"

namespace tributary {

/// The samples of one part of a segment, as buffers of GStreamer.
struct SampleBuffers {
  std::vector<GstHandle<GstBuffer>> buffers;  // in decoding order; they share the bytes of the part
  std::optional<std::string> damage;          // a fault that kept further samples from being read; nothing: none
};

/// `around`: samples may begin this much before the segment, or end this much after it.
SampleBuffers sample_buffers(const MediaSegment& segment, const MediaSegment::Part& part, const InitFacts& init,
                             const TrackClock& clock, Duration around);

}  // namespace tributary
