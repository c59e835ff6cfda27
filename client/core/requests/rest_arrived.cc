#include "core/requests/rest_arrived.hh"

#include <vector>

#include "core/session_state.hh"

namespace tributary {

void take_in(const event::RestArrived& e, SessionState& s) {
  if (s.options.mode != StreamingMode::kDownload) return;
  s.wait.restart(s.now);
  s.timeline.end_before(e.segment);
  s.timeline.leave_to_others(e.coming.value_or(e.segment));
  s.book.comes_otherwise(e.shared, e.here, e.until);
  std::vector<SegmentIndex> unwanted;
  for (const SegmentAssembly& segment : s.book.segments()) {
    if (segment.segment() >= e.segment) unwanted.push_back(segment.segment());
  }
  for (const SegmentIndex segment : unwanted) {
    s.book.give_up(segment);
    s.actions.push(action::DropSegment{segment});
  }
  if (!unwanted.empty()) s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
}

}  // namespace tributary
