#include "core/scheduling/costed_scheduler.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/session_state.hh"

namespace tributary {
namespace {

/// A range that a free link will bring late, or never.
bool repair_late(const LinkEstimate& link, const SegmentAssembly& segment, std::optional<TimePoint> due,
                 SessionState& s) {
  if (segment.comes_whole() || !due) return false;
  LinksNow links = s.links_now();
  for (LinkNow& other : links) {
    if (other.link == link.link && !other.rate) other.rate = Spending::guess_of_rate(s);
  }
  s.spending.leave_out_spared(links, s.now);
  RepairPlace place{link.link, links, segment, *due - Spending::margin_of({link}, s) / 4, s.book.duplicates_left()};
  place.duplicates.size =
      std::min(place.duplicates.size, s.spending.costs.left(link.link).value_or(place.duplicates.size));
  return Scheduler::repair_by(RepairLate{true}, place, s);
}

/// The bytes that playout may have to stand still for, at the last moment.
bool save_from_stall(const LinkEstimate& link, const LinksNow& present, const Claims& claims, SessionState& s) {
  if (!may_duplicate(s) || !s.may_stand_still()) return false;
  LinkEstimate asking = link;
  if (!asking.throughput) asking.throughput = Spending::guess_of_rate(s);
  const SaveFromStall rule{asking};
  const auto& segments = s.book.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!claims[i].due) continue;
    const TimePoint due = *claims[i].due - Spending::margin_of({link}, s) / 2;
    if (Scheduler::repair_by(rule, {link.link, present, segments[i], due, {}}, s)) return true;
  }
  return false;
}

}  // namespace

bool CostedScheduler::ask(SessionState& s) {
  free_.be_awake();
  const LinksNow present = s.links_now();
  LinkEstimates free, spared;
  for (const LinkEstimate& link : s.links.estimates(present, s.book.outstanding())) {
    if (!s.spending.costs.used_up(link.link)) (s.is_spared(link.link) ? spared : free).push_back(link);
  }
  std::ranges::sort(spared, {}, [&](const LinkEstimate& l) {
    return std::pair{s.spending.costs.of(l.link).price_per_mb, l.link};
  });
  if (free_.hand_over(present, s)) return true;
  if (const LinkIds to_ask = free_.room().links_to_ask(free, s.book.outstanding()); !to_ask.empty()) {
    s.spending.reserve_for(spared, free, s);
    if (std::ranges::any_of(to_ask, [&](LinkId link) { return free_.ask_link(link, present, free, s); })) return true;
  }
  // A free link comes up in a moment.
  if (free.empty() && s.spending.free_link_alive(s.now) && !s.playout.buffer().started()) return false;
  for (const LinkEstimate& link : spared) {
    if (ask_spared(link, present, free, s)) return true;
    free.push_back(link);  // for those that are dearer
  }
  return false;
}

bool CostedScheduler::ask_spared(const LinkEstimate& link, const LinksNow& present, const LinkEstimates& free,
                                 SessionState& s) {
  if (!free_.room().has_room(link, s.book.outstanding())) return false;
  const Claims claims = s.spending.claims_on(free, s);
  if (save_from_stall(link, present, claims, s)) return true;
  const ClaimSizes sizes = s.spending.shortages_of(claims, free, s);
  if (std::ranges::none_of(sizes, [](DataSize size) { return size > DataSize{}; })) return false;
  const std::size_t pressing = s.spending.pressing_on(link, claims, sizes, s);
  for (std::size_t i = 0; i < pressing; ++i) {
    if (sizes[i] <= DataSize{}) continue;
    while (i >= s.book.segments().size()) free_.start_segment(free, s);
    if (ask_short(link, s.book.segments()[i], sizes[i], claims[i].due, s)) return true;
  }
  return false;
}

bool CostedScheduler::ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size,
                                std::optional<TimePoint> due, SessionState& s) {
  if (segment.comes_whole() && s.spending.costs.left(link.link))
    return false;  // it could not be asked for a part of one
  const std::string why = fmt::format("{} bytes would be late over what costs less", size.bytes());
  if (!segment.given_back().empty()) {
    const WantedRange wanted = segment.take_given_back(0);
    send_allowed(link.link, segment, wanted, why, s);
    return true;
  }
  std::optional<WantedRange> wanted = segment.next_new();
  if (!wanted) return repair_late(link, segment, due, s);
  if (!segment.comes_whole()) {
    const DataSize left = std::min(segment.new_bytes(), std::max(size, kLeastRequest));
    DataSize planned = std::min(free_.planner().next_size(left, link.link, std::array{link}), wanted->range.size());
    if (planned <= DataSize{}) return false;
    if (segment.new_bytes() - planned < kLeastRequest) planned = wanted->range.size();  // nobody would ask for the rest
    free_.planner().taken(planned);
    wanted->range.end = wanted->range.begin + planned;
  }
  segment.take_new(wanted->range.size());
  send_allowed(link.link, segment, *wanted, why, s);
  return true;
}

}  // namespace tributary
