#pragma once

#include <cstddef>

#include "presentation/segments/segment_table.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Segments from one on, listed or not. Those that a growing presentation does not list yet count as average ones, in groups
/// as long as the last that is listed whole. A group is a segment with those that continue it: a choice of quality holds for
/// all of it.
class SegmentsAhead {
 public:
  explicit SegmentsAhead(const SegmentTable& table);

  /// Segments of a group.
  std::size_t group() const { return group_; }
  bool continues(std::size_t i) const;
  Duration duration(std::size_t i) const;
  double bytes(std::size_t i, QualityIndex quality) const;

 private:
  const SegmentTable& table_;
  std::size_t count_;           // that are listed
  std::size_t last_point_ = 0;  // the last listed one that continues no other
  std::size_t group_ = 1;
};

/// Of the group that begins with this segment.
Duration group_duration(SegmentIndex segment, const SegmentTable& table);

}  // namespace tributary
