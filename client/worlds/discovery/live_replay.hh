#pragma once

#include <optional>

#include "presentation/segments/segment_table.hh"

namespace tributary {

/// Publishes prepared content as if it were live. Segment 0 exists when the session starts, and each further one when
/// the duration of the one before is over.
class LiveReplay {
 public:
  explicit LiveReplay(const SegmentTable& table) : table_{table} {}

  /// The time at which the next segment is published; nothing after the last.
  std::optional<TimePoint> next_at() const {
    if (to_index(next_) == table_.segment_count()) return std::nullopt;
    return TimePoint{table_.starts_at(next_)};
  }
  SegmentIndex publish() {
    const SegmentIndex published = next_;
    next_ = next(next_);
    return published;
  }

 private:
  const SegmentTable& table_;
  SegmentIndex next_{};
};

}  // namespace tributary
