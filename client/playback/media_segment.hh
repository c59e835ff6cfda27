#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "presentation/presentation.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A whole segment, as a decoder needs it. Copies share the bytes.
struct MediaSegment {
  struct Part {
    std::size_t track = 0;  // index into Presentation::tracks
    TrackKind kind{};
    /// What the decoder needs before the first segment of this track. Comes once for each track, and is to be kept, even
    /// if the segment that it comes with is stale.
    bool init = false;
    std::shared_ptr<const std::vector<std::byte>> bytes;
  };

  std::uint32_t generation = 0;  // how many seeks were asked for before it; what is older than the last seek is stale
  SegmentIndex index{};
  QualityIndex quality{};
  Duration start{}, duration{};  // on the presentation's timeline, from its first segment on
  std::vector<Part> parts;
};

}  // namespace tributary
