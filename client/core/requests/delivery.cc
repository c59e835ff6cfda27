#include "core/requests/delivery.hh"

#include <algorithm>

#include "core/requests/missing_parts.hh"
#include "core/session_state.hh"

namespace tributary {

void deliver_complete_segments(SessionState& s) {
  if (!plays(s.options.mode)) {
    const auto deliver = [&](SegmentIndex segment) {
      if (s.demand.in_hand()) s.qualities.segment_complete(segment, s.playout.buffer().speed(), s.now);
      s.actions.push(action::DeliverSegment{segment});
      s.demand.end(segment);
    };
    if (s.options.in_order) {
      while (const auto segment = s.book.take_complete_front()) deliver(*segment);
    } else {
      std::ranges::for_each(s.book.take_complete(), deliver);
    }
    return;
  }
  while (!s.book.segments().empty()) {
    const DataSize size = s.book.segments().front().size();
    const QualityIndex received = s.book.segments().front().quality();
    const bool plays_already = s.book.segments().front().plays();
    const auto segment = s.book.take_complete_front();
    if (!segment) break;
    s.qualities.segment_complete(*segment, s.playout.buffer().speed(), s.now);
    s.actions.push(s.partial.rest_of(*segment, received, plays_already));
    for (const QualityIndex quality : s.missing.came(*segment, s.now)) tell_left_out(quality, s);
    if (!plays_already) s.playout.add(*segment, s.timeline.table().duration(*segment), s.now, s.actions, size);
  }
}

}  // namespace tributary
