#pragma once

#include <optional>

#include "core/quality_adaptation.hh"

namespace tributary {

/// Knows what all links together carry, segment by segment. A measurement begins when the segment before it
/// is complete, or when something is wanted again after a time in which nothing was; it ends when its segment
/// is complete. All bytes that arrive in between count, also those of the segment after it, whose first
/// requests travel behind this one's: bytes of one segment over the time since its first request would count
/// those times twice. A round trip is in it only after an idle time, and a link that had nothing left to do
/// counts as it was: carrying nothing.
class AggregateMeter {
 public:
  /// Until now nothing was wanted.
  void restart(TimePoint now);
  void received(DataSize size) { size_ += size; }
  /// Nothing if no time has passed since the segment before: both are measured with the next.
  std::optional<SegmentMeasurement> segment_complete(TimePoint now);

 private:
  TimePoint begin_;
  DataSize size_;
};

}  // namespace tributary
