#pragma once

#include <cstdint>
#include <string>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// A time at which live presentations of tests begin.
inline const UtcTime kLiveStart = *utc_from("2026-01-02T03:04:05.678Z");

/// A track of a live presentation, without segments.
inline Track live_track(const std::string& id, TrackKind kind, std::uint32_t timescale) {
  Track track;
  track.id = id;
  track.kind = kind;
  track.group = to_string(kind);
  track.codec = kind == TrackKind::kVideo ? "avc1.64001f" : "mp4a.40.2";
  track.mime = track.group + "/mp4";
  track.timescale = timescale;
  track.width = 640;
  track.height = 360;
  track.frame_rate_num = 25;
  track.sample_rate = 48000;
  track.channels = 2;
  track.bitrate.target = DataRate::bits_per_second(1e6);
  return track;
}

}  // namespace tributary::segmenter
