#include "core/scheduling/segment_start.hh"

#include <algorithm>
#include <utility>

#include "core/session_state.hh"

namespace tributary {

void start_next_segment(const LinkEstimates& links, SessionState& s) {
  if (s.options.mode == StreamingMode::kLiveUnbuffered) {
    const TimePoint plays_at = std::max(s.now, s.playout.buffer().next_due().value_or(s.now));
    s.timeline.skip_to_live_edge(plays_at, s.playout.accepted_lag(), s.actions);
  }
  const Qualities::Start start = s.qualities.choose_next(links, s);
  s.book.add(begin_segment(s.timeline.next_segment(), start.choice, start.throughput, s));
  s.timeline.start_next();
}

SegmentAssembly begin_segment(SegmentIndex segment, const QualityChoice& choice, std::optional<DataRate> throughput,
                              SessionState& s) {
  SegmentAssembly begun = s.book.begin(segment, choice.quality, s.timeline.table());
  const auto buffered = static_cast<std::uint32_t>(s.playout.buffer().buffered_segments());
  s.actions.push(action::StartSegment{segment, choice.quality, begun.missing(), begun.init_parts(), throughput,
                                      buffered, choice.reason});
  return begun;
}

}  // namespace tributary
