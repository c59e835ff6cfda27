#include "core/scheduling/segment_start.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/session_state.hh"

namespace tributary {
namespace {

void leave_out_missing(QualityChoice& choice, SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  const SegmentIndex segment = s.timeline.next_segment();
  if (table.continues(segment)) return;
  const auto there = s.missing.instead_of(choice.quality, segment, table.highest_quality(), s.now);
  if (!there || *there == choice.quality) return;
  choice = {*there, fmt::format("the origin does not have it in {}", table.quality_name(choice.quality))};
  s.qualities.set_last(choice.quality);
}

}  // namespace

void start_next_segment(const LinkEstimates& links, SessionState& s) {
  if (s.options.mode == StreamingMode::kLiveUnbuffered) {
    const TimePoint plays_at = std::max(s.now, s.playout.buffer().next_due().value_or(s.now));
    s.timeline.skip_to_live_edge(plays_at, s.playout.accepted_lag(), s.actions);
  }
  LatencyControl::skip_if_far_behind(s);
  Qualities::Start start = s.qualities.choose_next(links, s);
  leave_out_missing(start.choice, s);
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

void begin_anew(SegmentAssembly& segment, const QualityChoice& choice, std::optional<DataRate> throughput,
                SessionState& s) {
  if (segment.plays()) return;  // it plays as far as it comes
  s.book.drop_for_another_quality(segment, s.actions);
  if (next(segment.segment()) == s.timeline.next_segment()) s.qualities.set_last(choice.quality);
  segment = begin_segment(segment.segment(), choice, throughput, s);
  s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
}

void bring_lost_init_parts(SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  for (SegmentAssembly& segment : s.book.segments()) {
    if (!s.book.lacks_init_parts(segment, table)) continue;
    const QualityIndex quality =
        s.missing.instead_of(segment.quality(), segment.segment(), table.highest_quality(), s.now)
            .value_or(segment.quality());
    const auto throughput = aggregate(s.links.estimates(s.book.outstanding(), s.now));
    begin_anew(segment, {quality, "the segment that was to bring its init part does not come"}, throughput, s);
  }
}

}  // namespace tributary
