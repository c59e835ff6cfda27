#include "core/requests/delivery.hh"

#include "core/session_state.hh"

namespace tributary {

void deliver_complete_segments(SessionState& s) {
  if (s.options.mode == StreamingMode::kDownload) {
    for (const SegmentIndex segment : s.book.take_complete()) s.actions.push(action::DeliverSegment{segment});
    return;
  }
  while (const auto segment = s.book.take_complete_front()) {
    s.qualities.segment_complete(*segment, s.playout.buffer().speed(), s.now);
    s.actions.push(action::DeliverSegment{*segment});
    s.playout.add(*segment, s.timeline.table().duration(*segment), s.now, s.actions);
  }
}

}  // namespace tributary
