#pragma once

#include <map>

#include "gst/readers/segment_reader.hh"
#include "playback/media_segment.hh"

namespace tributary {

/// The streams of one part of a segment.
struct ReadPart {
  std::size_t track = 0;  // index into Presentation::tracks
  TrackKind kind{};       // of the track, which may hold streams of the other kind as well
  ReadSegment content;
};

/// Decides by the bytes which reader takes the segments of a track apart: those of its init segment, if it has one.
class SegmentReaders {
 public:
  /// Keeps the init segment for the segments behind it. Throws BoxError.
  void take_init(const MediaSegment::Part& part, const Track& track);
  ReadPart read(const MediaSegment::Part& part) const;
  void forget() { by_track_.clear(); }

 private:
  std::map<std::size_t, std::unique_ptr<SegmentReader>> by_track_;  // of tracks with an init segment
};

}  // namespace tributary
