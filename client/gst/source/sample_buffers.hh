#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gst/gst_handles.hh"
#include "media/cmaf_reader.hh"
#include "media/track_clock.hh"
#include "playback/media_segment.hh"

namespace tributary {

/// The samples of one part of a segment, for an element of GStreamer.
struct SampleBuffers {
  std::vector<GstHandle<GstBuffer>> buffers;  // in decoding order; they share the bytes of the part
  std::optional<std::string> damage;          // what kept the others from being read
};

SampleBuffers sample_buffers(const MediaSegment& segment, const MediaSegment::Part& part, const InitFacts& init,
                             const TrackClock& clock);

}  // namespace tributary
