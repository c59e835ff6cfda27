#include "oracle/least_spared.hh"

#include <algorithm>
#include <vector>

namespace tributary {

DataSize least_spared(const PlayedSegments& played, const LinkCapacity& free) {
  std::vector<TimePoint> due;
  TimePoint at = played.start, free_from;
  DataSize spared;
  for (std::size_t i = 0; i < played.sizes.size(); ++i) {
    due.push_back(at);
    at += played.durations[i];
    if (i >= played.buffer_segments) free_from = std::max(free_from, due[i - played.buffer_segments]);
    const DataSize before = free.delivered_until(free_from);
    const DataSize brought = free.delivered_until(std::max(due[i], free_from)) - before;
    if (brought >= played.sizes[i]) {
      free_from = free.delivered_at(before + played.sizes[i]).value_or(due[i]);
    } else {
      spared += played.sizes[i] - brought;
      free_from = std::max(due[i], free_from);
    }
  }
  return spared;
}

}  // namespace tributary
