#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gst/readers/segment_readers.hh"
#include "media/track_clock.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// Which times of the media are at which position of the timeline, stretch by stretch. Where nobody has stated at which
/// time of the media a stretch begins, that is measured: the first picture that comes is where its segment is. It is
/// measured again where the media leave the times that the manifest lists.
class MediaTimes {
 public:
  /// The presentation must outlive it.
  explicit MediaTimes(const Presentation& presentation) : presentation_{presentation} {}

  /// Another title is in the presentation. `leading`: the track by which the timeline is counted.
  void open(std::size_t leading);
  /// Of one segment.
  void measure(const std::vector<ReadPart>& parts);
  TrackClock clock_of(const ReadPart& part);
  /// How far times of the media are ahead of the timeline there, where times are measured; nothing: not known yet.
  std::optional<Duration> ahead(Duration position) const;

 private:
  struct Measured {
    Duration stretch_begin;
    Duration of_media, position;  // this time of the media is at this position of the timeline
  };
  Measured* measured(const ReadPart& part);

  const Presentation& presentation_;
  std::size_t leading_ = 0;
  std::vector<Measured> measured_;
};

}  // namespace tributary
