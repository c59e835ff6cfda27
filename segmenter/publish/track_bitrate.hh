#pragma once

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// What a player must expect of the track, measured on its segments. Peak: the highest rate over neighbouring
/// segments of 0.5 to 1.5 target durations together (RFC 8216 section 4.3.4.2), the target being the longest
/// segment; so a short last segment does not count alone. The track must have a segment.
TrackBitrate measure_bitrate(const Track& track, DataRate target);

}  // namespace tributary::segmenter
