#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gst/readers/segment_reader.hh"
#include "media/track_clock.hh"
#include "playback/media_segment.hh"

namespace tributary {

/// Where samples of a stream belong on the presentation's timeline.
struct PlaceOfSamples {
  Duration start{}, duration{};     // of the segment
  Duration around{};                // samples may begin this much before the segment, or end this much after it
  MediaSegment::Stretch stretch{};  // sound outside of it is left out
  std::optional<Duration> until{};  // where those end that were given before; of sound, nothing is given twice
};

struct TimedSamples {
  std::vector<GstHandle<GstBuffer>> buffers;  // in decoding order, with their times on the timeline
  std::optional<std::string> damage;          // the first sample with an impossible time ends it
};

/// Gives samples their times on the timeline. Those that end before the title begins are left out. A stream that is not
/// timed goes on where the one before ended, or begins with the segment.
TimedSamples timed_samples(ReadStream stream, const PlaceOfSamples& place, const TrackClock& clock);

/// How many ticks are to be added to times that wrap, so that the stream begins as near to `position` as it can.
std::int64_t turns_of(const ReadStream& stream, Duration position, const TrackClock& clock);

}  // namespace tributary
