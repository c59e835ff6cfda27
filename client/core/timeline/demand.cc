#include "core/timeline/demand.hh"

#include <algorithm>
#include <tuple>

#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"

namespace tributary {
namespace {

/// Players look at this much of a file before they do anything else: its head, and what decodes it.
constexpr DataSize kFront{20'000};

/// As if the session played: the adaptation counts with the links that are not spared.
Qualities::Start choose(const event::SegmentWanted& wanted, SessionState& s) {
  LinkEstimates links = s.links.estimates(s.book.outstanding(), s.now);
  if (!wanted.in_hand) return {{QualityIndex{}, "a player wants it"}, aggregate(links)};
  links.erase(std::remove_if(links.begin(), links.end(), [&](const LinkEstimate& l) { return s.is_spared(l.link); }),
              links.end());
  s.demand.tell_in_hand(*wanted.in_hand);
  s.qualities.seek(s.timeline.next_segment());  // files that nobody chooses for may have come before
  return s.qualities.choose_next(links, s);
}

}  // namespace

void Demand::want(SegmentIndex segment, std::optional<TimePoint> due, std::optional<SegmentIndex> behind) {
  Wish& wish = wishes_[segment];
  if (due && !wish.due) wish.turn = turn_;
  wish.due = due;
  if (behind) wish.behind = behind;
}

void Demand::asked(SegmentIndex segment, DataSize size) {
  const auto found = wishes_.find(segment);
  if (found == wishes_.end()) return;
  found->second.asked += size;
  if (!found->second.due) return;
  turn_ = std::max(turn_, found->second.turn);
  found->second.turn += size;
}

std::optional<TimePoint> Demand::due(SegmentIndex segment) const {
  const auto found = wishes_.find(segment);
  return found == wishes_.end() ? std::nullopt : found->second.due;
}

std::optional<TimePoint> Demand::first_due() const {
  std::optional<TimePoint> first;
  for (const auto& [segment, wish] : wishes_) {
    if (wish.due && (!first || *wish.due < *first)) first = wish.due;
  }
  return first;
}

Demand::Rank Demand::rank(const Wish& wish) const {
  if (!wish.due) return Rank::kOther;
  if (wish.asked < kFront) return Rank::kFront;
  return wish.behind && wishes_.contains(*wish.behind) ? Rank::kBehindAnother : Rank::kWaitedFor;
}

bool Demand::before(SegmentIndex a, SegmentIndex b) const {
  const auto order = [&](SegmentIndex segment) {
    const auto found = wishes_.find(segment);
    if (found == wishes_.end()) return std::tuple{Rank::kOther, DataSize{}, segment};
    const bool waited_for = found->second.due.has_value();
    return std::tuple{rank(found->second), waited_for ? found->second.turn : DataSize{}, segment};
  };
  return order(a) < order(b);
}

void take_in(const event::SegmentWanted& e, SessionState& s) {
  if (s.options.mode != StreamingMode::kDemanded || to_index(e.segment) >= s.timeline.table().segment_count()) return;
  const bool is_new = e.segment >= s.timeline.next_segment();
  if (!is_new && s.book.find_segment(e.segment) == nullptr) return;  // it is delivered, or was given up
  s.demand.want(e.segment, e.due, e.behind);
  while (e.segment >= s.timeline.next_segment()) {
    const Qualities::Start start = choose(e, s);
    s.book.add(begin_segment(s.timeline.next_segment(), start.choice, start.throughput, s));
    s.timeline.start_next();
  }
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

void take_turns(SessionState& s) {
  if (s.demand.empty()) return;
  std::ranges::sort(s.book.segments(), [&](const SegmentAssembly& a, const SegmentAssembly& b) {
    return s.demand.before(a.segment(), b.segment());
  });
}

}  // namespace tributary
