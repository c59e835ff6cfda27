#include "core/timeline/live_start.hh"

#include <chrono>

namespace tributary {

SegmentIndex live_start(const SegmentTable& table, Duration latency) {
  const auto behind = [&](SegmentIndex segment) { return table.grid().end() - table.starts_at(segment); };
  SegmentIndex best = table.switch_point(static_cast<SegmentIndex>(table.segment_count() - 1));
  for (SegmentIndex point = best; to_index(point) > 0;) {
    point = table.switch_point(static_cast<SegmentIndex>(to_index(point) - 1));
    const bool too_near = behind(best) < latency / 2;
    if (!too_near && std::chrono::abs(behind(point) - latency) >= std::chrono::abs(behind(best) - latency)) break;
    best = point;
  }
  return best;
}

}  // namespace tributary
