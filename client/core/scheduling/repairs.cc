#include "core/scheduling/repairs.hh"

#include <fmt/format.h>

#include <algorithm>

#include "core/scheduling/last_call.hh"
#include "core/scheduling/rescue.hh"
#include "core/session_state.hh"

namespace tributary {
namespace {

/// More than one link can be asked.
bool others_may_try(const SessionState& s) {
  return std::ranges::count_if(s.links.usable(s.now), [&](LinkId link) { return !s.is_spared(link); }) > 1;
}

/// The link is busy for a round trip with its requests. Further ones would come in a burst, of which a short queue
/// drops the end.
bool is_busy_until_it_answers(LinkId id, const SessionState& s) {
  const OutstandingRequests& outstanding = s.book.outstanding();
  const OutstandingRequest* head = outstanding.head(id);
  if (head == nullptr || head->began) return false;
  const Link& link = s.links.at(id);
  const auto rate = link.rate(id, outstanding);
  return rate && outstanding.bytes_left(id) >= *rate * link.least_round_trip.value();
}

Repair again(std::size_t index, std::optional<LinkId> failed_on, const SessionState& s) {
  return {index,
          {},
          {},
          failed_on ? fmt::format("again: failed on {}", s.links.at(link_of(*failed_on)).name)
                    : "more than another link may bring"};
}

const std::string& name_of_link_that_owes(RequestId request, const SessionState& s) {
  const auto& all = s.book.outstanding().all();
  return s.links.at(std::ranges::find(all, request, &OutstandingRequest::id)->link).name;
}

}  // namespace

std::optional<Repair> HandOver::find(const RepairPlace& place, const SessionState& s) const {
  for (std::size_t i = 0; i < place.segment.given_back().size(); ++i) {
    const std::optional<LinkId> lost = place.segment.given_back()[i].failed_on;
    if (lost && !s.links.is_usable(*lost, s.now)) return again(i, *lost, s);
  }
  return std::nullopt;
}

std::optional<Repair> AskAgain::find(const RepairPlace& place, const SessionState& s) const {
  if (place.segment.given_back().empty() || !s.spending.costs.may_request(place.link, DataSize{1})) return std::nullopt;
  for (std::size_t i = 0; i < place.segment.given_back().size(); ++i) {
    const std::optional<LinkId> failed_on = place.segment.given_back()[i].failed_on;
    if (failed_on != place.link || !others_may_try(s)) return again(i, failed_on, s);
  }
  return std::nullopt;
}

std::optional<Repair> RepairLate::find(const RepairPlace& place, const SessionState& s) const {
  if (place.segment.comes_whole()) return std::nullopt;
  const OwedRanges owed{place.link, place.links, s.book.outstanding(), place.segment.segment()};
  if (owed.empty()) return std::nullopt;
  if (std::optional<Repair> lost = rescued(owed, place, s)) return lost;
  return taken_over(owed, place, s);
}

std::optional<Repair> RepairLate::rescued(const OwedRanges& owed, const RepairPlace& place, const SessionState& s) {
  if (!s.rules.rescue || is_busy_until_it_answers(place.link, s)) return std::nullopt;
  const auto lost = rescue(owed, place.due, s.now);
  if (!lost || !s.spending.costs.may_request(place.link, lost->range.size())) return std::nullopt;
  return Repair{std::nullopt, lost->from, lost->range,
                fmt::format("{} owes it, and brings next to nothing (silent for {:.3f} s)",
                            name_of_link_that_owes(lost->from, s), to_seconds(lost->silent))};
}

std::optional<Repair> RepairLate::taken_over(const OwedRanges& owed, const RepairPlace& place,
                                             const SessionState& s) const {
  if (!s.rules.take_over) return std::nullopt;
  const auto late = take_over(owed, place.due, place.duplicates, s.now, !plays(s.options.mode));
  if (!late || (overdue_only_ && late->late <= Duration::zero())) return std::nullopt;
  if (!s.spending.costs.may_request(place.link, late->range.size())) return std::nullopt;
  return Repair{std::nullopt, late->from, late->range,
                fmt::format("{} owes it, and is expected {:.3f} s after it is due; {:.3f} s sooner from here",
                            name_of_link_that_owes(late->from, s), to_seconds(late->late), to_seconds(late->sooner))};
}

std::optional<Repair> SaveFromStall::find(const RepairPlace& place, const SessionState& s) const {
  if (!s.rules.take_over || !place.due || place.segment.comes_whole()) return std::nullopt;
  const OwedRanges owed{asking_.link, place.links, s.book.outstanding(), place.segment.segment()};
  const auto late = last_call(asking_, owed, *place.due, s.now);
  if (!late || !s.spending.costs.may_request(place.link, late->range.size())) return std::nullopt;
  return Repair{std::nullopt, late->from, late->range,
                fmt::format("playout may stand still: {} owes it, and is expected {:.3f} s after the last moment",
                            name_of_link_that_owes(late->from, s), to_seconds(late->late))};
}

bool may_duplicate(const SessionState& s) {
  return (s.rules.rescue || s.rules.take_over) && !s.book.whole_parts() && !s.book.outstanding().empty();
}

}  // namespace tributary
