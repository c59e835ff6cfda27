#include "core/timeline/demand.hh"

#include <algorithm>

#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"

namespace tributary {

std::optional<TimePoint> Demand::first_due() const {
  std::optional<TimePoint> first;
  for (const auto& [segment, due] : due_) {
    if (due && (!first || *due < *first)) first = due;
  }
  return first;
}

bool Demand::before(SegmentIndex a, SegmentIndex b) const {
  const TimePoint due_a = due(a).value_or(TimePoint::max()), due_b = due(b).value_or(TimePoint::max());
  return due_a != due_b ? due_a < due_b : a < b;
}

void take_in(const event::SegmentWanted& e, SessionState& s) {
  if (s.options.mode != StreamingMode::kDemanded || to_index(e.segment) >= s.timeline.table().segment_count()) return;
  const bool is_new = e.segment >= s.timeline.next_segment();
  if (!is_new && s.book.find_segment(e.segment) == nullptr) return;  // it is delivered, or was given up
  s.demand.want(e.segment, e.due);
  while (e.segment >= s.timeline.next_segment()) {
    s.book.add(begin_segment(s.timeline.next_segment(), {QualityIndex{}, "a player wants it"},
                             aggregate(s.links.estimates(s.book.outstanding(), s.now)), s));
    s.timeline.start_next();
  }
  std::ranges::sort(s.book.segments(), [&](const SegmentAssembly& a, const SegmentAssembly& b) {
    return s.demand.before(a.segment(), b.segment());
  });
}

void take_in(const event::SegmentNotWanted& e, SessionState& s) {
  if (s.options.mode != StreamingMode::kDemanded) return;
  s.demand.end(e.segment);
  const auto found = std::ranges::find(s.book.segments(), e.segment, &SegmentAssembly::segment);
  if (found == s.book.segments().end()) return;
  s.book.drop_for_another_quality(*found, s.actions);
  s.book.segments().erase(found);
  s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
}

}  // namespace tributary
