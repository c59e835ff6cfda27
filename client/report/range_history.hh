#pragma once

#include <span>
#include <vector>

#include "report/session_record.hh"

namespace tributary {

/// A range as it was first asked for, with the requests for it in order. All but the last of them failed.
struct RangeHistory {
  std::vector<const RequestRecord*> tries;

  const RequestRecord& first() const { return *tries.front(); }
  const RequestRecord& last() const { return *tries.back(); }
  /// The time at which the first `bytes` of the range had come. Bytes of one request count as coming evenly.
  TimePoint arrival_of(DataSize bytes) const;
};

/// The ranges of a segment that came whole, in the order in which they came. Borrows the record.
std::vector<RangeHistory> ranges_of(const SessionRecord& record, SegmentIndex segment);

/// The ranges that were not complete at `due`. Borrows `ranges`, which must be in the order of arrival.
std::span<const RangeHistory> late_ranges(const std::vector<RangeHistory>& ranges, TimePoint due);

}  // namespace tributary
