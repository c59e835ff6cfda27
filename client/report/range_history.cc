#include "report/range_history.hh"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tributary {
namespace {

/// The last failed request before `again` that covers some of its bytes; null: there is none.
const RequestRecord* tried_before(const SessionRecord& record, const RequestRecord& again) {
  const auto& requests = record.requests();
  for (std::size_t i = to_index(again.id) - to_index(requests.front().id); i-- > 0;) {
    const RequestRecord& r = requests[i];
    if (r.dropped || r.segment != again.segment || r.part != again.part) continue;
    const bool failed = r.status != "done" && r.ended && *r.ended <= again.sent;
    if (failed && !intersection(r.range, again.range).empty()) return &r;
  }
  return nullptr;
}

}  // namespace

TimePoint RangeHistory::arrival_of(DataSize bytes) const {
  for (const RequestRecord* request : tries) {
    if (request->received == DataSize{} || (bytes > request->received && request != &last())) {
      bytes -= request->received;
      continue;
    }
    const TimePoint begin = request->first_byte.value_or(request->sent);
    const double share = std::min(bytes / request->received, 1.0);
    return begin + from_seconds(share * to_seconds(*request->last_byte - begin));
  }
  return *last().last_byte;
}

std::vector<RangeHistory> ranges_of(const SessionRecord& record, SegmentIndex segment) {
  std::vector<RangeHistory> ranges, overtaken;
  const std::optional<TimePoint> complete = record.segments().at(segment).complete;
  for (const RequestRecord& r : record.requests()) {
    const bool whole = r.received == r.range.size();  // "done" is missing if the session ends with the last byte
    if (r.dropped || r.segment != segment || !whole || !r.last_byte) continue;
    RangeHistory range;
    for (const RequestRecord* request = &r; request != nullptr; request = tried_before(record, *request))
      range.tries.push_back(request);
    std::reverse(range.tries.begin(), range.tries.end());
    // A range that came after the segment was complete is overtaken: another link brought its end sooner.
    const bool needed = !complete || *r.last_byte <= *complete;
    (needed ? ranges : overtaken).push_back(std::move(range));
  }
  const bool decided = std::any_of(ranges.begin(), ranges.end(),
                                   [&](const RangeHistory& range) { return range.last().last_byte == complete; });
  // If no other range completed the segment, it waited for the front of an overtaken one.
  if (!decided) std::move(overtaken.begin(), overtaken.end(), std::back_inserter(ranges));
  std::stable_sort(ranges.begin(), ranges.end(), [](const RangeHistory& a, const RangeHistory& b) {
    return *a.last().last_byte < *b.last().last_byte;
  });
  return ranges;
}

std::span<const RangeHistory> late_ranges(const std::vector<RangeHistory>& ranges, TimePoint due) {
  const auto in_time = [&](const RangeHistory& range) { return *range.last().last_byte <= due; };
  return {std::find_if_not(ranges.begin(), ranges.end(), in_time), ranges.end()};
}

}  // namespace tributary
