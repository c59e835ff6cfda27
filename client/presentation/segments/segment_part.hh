#pragma once

#include <cstddef>

#include "presentation/resource.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"

namespace tributary {

/// One file, or range of a file, of a segment: its picture, its sound, or the init segment that a decoder needs first.
struct SegmentPart {
  std::size_t track = 0;  // index into Presentation::tracks
  bool init = false;
  Resource resource;
  SegmentIndex segment{};  // of the track; of an init segment: the first that needs it

  DataSize size() const { return resource.range.size(); }
  bool operator==(const SegmentPart&) const = default;
};

}  // namespace tributary
