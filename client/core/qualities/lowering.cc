#include "core/qualities/lowering.hh"

#include <algorithm>
#include <chrono>

#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr Duration kEvery = std::chrono::milliseconds{100};

/// Of all links that live.
DataRate rate_now(const SessionState& s) {
  DataRate rate;
  for (const LinkNow& link : s.links_now()) {
    if (link.usable && link.rate && !silent_too_long(link)) rate += *link.rate;
  }
  return rate;
}

}  // namespace

bool Lowering::may_lower(const SessionState& s) {
  return s.rules.lowering && s.qualities.lowers() && traits_of(s.options.subsegments).lowers && !s.book.whole_parts() &&
         !s.spending.costs.any() && s.playout.buffer().next_due() &&
         std::ranges::any_of(s.book.segments(), [](const SegmentAssembly& a) { return a.quality() > QualityIndex{0}; });
}

void Lowering::look(SessionState& s) {
  if (s.now < rests_until_ || !may_lower(s)) return;
  rests_until_ = s.now + kEvery;
  const DataRate rate = rate_now(s);
  if (rate <= DataRate{}) return;
  const SegmentTable& table = s.timeline.table();
  const OutstandingRequests& outstanding = s.book.outstanding();
  DataSize before = outstanding.abandoned_bytes();  // that come before those of the segment
  TimePoint due = s.playout.first_due(s.now);
  for (SegmentAssembly& segment : s.book.segments()) {
    if (segment.plays()) {
      before += segment.missing();
      continue;
    }
    if (segment.quality() > QualityIndex{0} && !segment.comes_whole() && !s.timeline.is_bound(segment.segment()) &&
        !s.book.brings_what_others_need(segment)) {
      const DataSize comes_anyway = outstanding.wanted_bytes(segment.segment());
      const DataSize as_it_is = before + segment.missing();
      SegmentOnItsWay way{segment.segment(), segment.quality(), as_it_is, {}, {}, {}};
      way.throughput = rate / s.playout.buffer().speed();
      way.due = s.playout.media_time(due - s.now);
      for (QualityIndex q{}; q < segment.quality(); q = next(q))
        way.anew.push_back(before + comes_anyway + table.size(segment.segment(), q));
      const DataSize lost = table.size(segment.segment(), segment.quality()) - segment.missing() + comes_anyway;
      const bool affordable = lost <= s.book.duplicates_left().size;
      if (const auto choice = affordable ? s.qualities.lowered(way, table) : std::nullopt) {
        s.book.count_duplicates(lost);
        s.qualities.was_lowered(segment.segment(), s.now + as_it_is / rate);
        begin_anew(segment, *choice, rate, s);
        before += comes_anyway;
      }
    }
    before += segment.missing();
    due += s.playout.play_time(table.duration(segment.segment()));
  }
}

}  // namespace tributary
