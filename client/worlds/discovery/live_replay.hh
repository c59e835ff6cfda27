#pragma once

#include <algorithm>
#include <optional>

#include "core/event.hh"
#include "presentation/segments/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Publishes prepared content as if it were live. Some segments exist when the session starts, of which the newest was
/// published then. Each further one is published when the duration of the one before is over.
class LiveReplay {
 public:
  /// `at_start`: how many segments exist then, at least one (SessionOptions::segments_at_start).
  LiveReplay(const SegmentTable& table, std::uint32_t at_start) : table_{table} {
    const auto newest = std::min<std::size_t>(at_start, table.segment_count()) - 1;
    begun_before_ = table.starts_at(static_cast<SegmentIndex>(newest));
  }

  /// The time at which the next segment is published; nothing after the last.
  std::optional<TimePoint> next_at() const {
    if (to_index(next_) == table_.segment_count()) return std::nullopt;
    return std::max(published_at(next_), TimePoint{});
  }
  event::SegmentPublished publish() {
    const SegmentIndex published = next_;
    next_ = next(next_);
    return {published, std::max(TimePoint{} - published_at(published), Duration{})};
  }

 private:
  TimePoint published_at(SegmentIndex segment) const { return TimePoint{table_.starts_at(segment) - begun_before_}; }

  const SegmentTable& table_;
  Duration begun_before_{};
  SegmentIndex next_{};
};

}  // namespace tributary
