#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "presentation/presentation.hh"
#include "units/identifiers.hh"
#include "units/media_bytes.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A segment for a decoder, whole or, where it plays while it comes, some of its frames. Copies share the bytes.
struct MediaSegment {
  /// Where the track's stretch that a part is in begins and ends on the timeline; the beginning tells stretches apart.
  struct Stretch {
    Duration begin{}, end = Duration::max();
    std::int64_t offset = 0;  // ticks by which its timestamps are shifted
  };
  struct Part {
    std::size_t track = 0;  // index into Presentation::tracks
    TrackKind kind{};
    /// An init segment, which the decoder needs before the first segment of this track and stretch. It comes once for
    /// each, and must be kept even if the MediaSegment is stale.
    bool init = false;
    std::shared_ptr<const MediaBytes> bytes;
    Duration start{};  // on the presentation's timeline
    Stretch stretch{};
  };

  std::uint32_t generation = 0;  // number of seeks before it; stale if lower than that of the last seek
  SegmentIndex index{};
  QualityIndex quality{};
  Duration start{}, duration{};  // on the presentation's timeline, from its first segment on
  double speed = 1;              // live: at which it is to be played (StreamListener::steered)
  bool goes_on = false;          // these are further frames of the segment that came last
  std::vector<Part> parts;
};

}  // namespace tributary
