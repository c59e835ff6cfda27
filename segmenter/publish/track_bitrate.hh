#pragma once

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The rates of the track, measured on its segments. The peak is the highest rate of neighbouring segments that
/// together last 0.5 to 1.5 target durations (RFC 8216 section 4.3.4.2). The target duration is that of the longest
/// segment, so a short last segment does not count alone. The track must have a segment.
TrackBitrate measure_bitrate(const Track& track, DataRate target);

}  // namespace tributary::segmenter
