#pragma once

#include <optional>

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// Measures all links together, segment by segment. A measurement begins when the segment before is complete, or when
/// bytes are wanted again after a rest; it ends when its segment is complete. All bytes in between count, also those of
/// the segment after it, whose first requests travel behind this one's. A round trip is in it only after a rest. An
/// idle link counts as carrying nothing.
class AggregateMeter {
 public:
  /// Until now no byte was wanted.
  void restart(TimePoint now);
  void received(DataSize size) { size_ += size; }
  /// Nothing if no time has passed since the segment before: the next measurement has both.
  std::optional<SegmentMeasurement> segment_complete(TimePoint now);

 private:
  TimePoint begin_;
  DataSize size_;
};

}  // namespace tributary
