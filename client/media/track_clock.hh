#pragma once

#include <cstdint>
#include <optional>

#include "presentation/presentation.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Converts timestamps of one stretch of a track to the presentation's timeline. Zero of the timeline is the first picture of the
/// first segment.
class TrackClock {
 public:
  /// `leading`: the track by which the timeline is counted; a picture where there is one.
  /// `offset`: that of the stretch, in ticks of the track.
  TrackClock(const Track& track, std::int64_t offset, const Track& leading);

  /// `timescale`: of the media, which the manifest need not share. Nothing for an impossible timestamp: beyond some
  /// centuries.
  std::optional<Duration> time_of(std::int64_t ticks, std::uint32_t timescale) const;
  /// From now on this time of the media is at `position` of the timeline.
  void set(Duration of_media, Duration position) { shift_ = of_media - position; }

 private:
  std::uint32_t timescale_;
  std::int64_t offset_;  // of ticks; both as the manifest states them
  Duration shift_;       // of times, beside the offset
};

/// Ticks as a time, to the nearest nanosecond; nothing if Duration cannot hold it.
std::optional<Duration> ticks_to_time(std::int64_t ticks, std::uint32_t timescale);

}  // namespace tributary
