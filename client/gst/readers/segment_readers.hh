#pragma once

#include <map>
#include <utility>

#include "gst/readers/segment_reader.hh"
#include "playback/media_segment.hh"

namespace tributary {

/// The streams of one part of a segment.
struct ReadPart {
  std::size_t track = 0;  // index into Presentation::tracks
  TrackKind kind{};       // of the track, which may hold streams of the other kind as well
  Duration start{};       // on the presentation's timeline
  MediaSegment::Stretch stretch{};
  ReadSegment content;
};

/// Decides by the bytes which reader takes the segments of a track's stretch apart: those of its init segment, if it has
/// one.
class SegmentReaders {
 public:
  /// Keeps the init segment for the segments behind it. Throws BoxError.
  void take_init(const MediaSegment::Part& part, const Track& track);
  ReadPart read(const MediaSegment::Part& part) const;
  void forget() { readers_.clear(); }

 private:
  using Place = std::pair<std::size_t, Duration>;  // a track, and where its stretch begins
  static Place place_of(const MediaSegment::Part& part) { return {part.track, part.stretch.begin}; }
  ReadSegment content_of(const MediaSegment::Part& part) const;

  /// One for each stretch with an init segment. Null: that could not be read.
  std::map<Place, std::unique_ptr<SegmentReader>> readers_;
};

}  // namespace tributary
