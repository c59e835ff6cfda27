#include "core/links/lanes.hh"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "core/session_state.hh"

namespace tributary {
namespace {

/// May have more than one connection.
bool may_have_lanes(LinkId id, const Link& link, const SessionState& s) {
  return link.up && link.use == LinkUse::kUse && !link.avoided_for_good && !link.used_up &&
         s.spending.costs.of(id).kind == CostKind::kFree;
}

bool has_failed(const Link& lane) { return !lane.up || lane.avoided_for_good || lane.failures_in_a_row > 0; }

/// Those of the link, without the first connection.
LinkIds lanes_of(LinkId link, const SessionState& s) {
  LinkIds lanes;
  for (const auto& [id, _] : s.links.all()) {
    if (is_lane(id) && link_of(id) == link) lanes.push_back(id);
  }
  return lanes;
}

LinkIds open_lanes_of(LinkId link, const SessionState& s) {
  LinkIds lanes = lanes_of(link, s);
  lanes.erase(std::remove_if(lanes.begin(), lanes.end(), [&](LinkId id) { return s.links.at(id).closing; }),
              lanes.end());
  return lanes;
}

/// A lane that owes nothing any more is forgotten.
void forget_closed(const LinkIds& lanes, const std::string& why, SessionState& s) {
  for (const LinkId id : lanes) {
    if (!s.links.at(id).closing || s.book.outstanding().count(id) > 0) continue;
    s.actions.push(action::CloseLane{id, why});
    s.links.forget(id);
  }
}

}  // namespace

void Lanes::decide(SessionState& s) {
  if (connections_ == 1 || !traits_of(s.options.subsegments).busy_rates) return;
  LinkIds links;
  for (const auto& [id, _] : s.links.all()) {
    if (!is_lane(id)) links.push_back(id);
  }
  const auto in_use = std::ranges::count_if(links, [&](LinkId id) { return may_have_lanes(id, s.links.at(id), s); });
  const std::uint32_t each = LaneCount::kMost / std::max<std::uint32_t>(static_cast<std::uint32_t>(in_use), 1);
  for (const LinkId id : links) decide(id, std::max<std::uint32_t>(each, 1), s);
}

void Lanes::decide(LinkId link, std::uint32_t most, SessionState& s) {
  OfLink& known = links_[link];
  for (const LinkId id : lanes_of(link, s))
    known.opening.erase(std::remove(known.opening.begin(), known.opening.end(), id), known.opening.end());
  const std::uint32_t wanted = this->wanted(link, most, open_lanes_of(link, s), known, s);
  LinkIds open = open_lanes_of(link, s);  // without those that have failed
  const std::uint32_t there = static_cast<std::uint32_t>(open.size() + known.opening.size()) + 1;
  for (std::uint32_t lanes = there; lanes > wanted && lanes > 1; --lanes) {
    known.why_closed = why_;
    if (!known.opening.empty()) {
      known.opening.pop_back();
    } else {
      s.links.at(open.back()).closing = true;
      open.pop_back();
    }
  }
  for (std::uint32_t number = 1, lanes = there; lanes < wanted; ++number) {
    const LinkId id = lane_of(link, number);
    if (s.links.all().contains(id) && s.links.at(id).closing) {
      s.links.at(id).closing = false;
      ++lanes;
      continue;
    }
    if (s.links.all().contains(id) || std::ranges::find(known.opening, id) != known.opening.end()) continue;
    known.opening.push_back(id);
    s.actions.push(action::OpenLane{id, why_});
    ++lanes;
  }
  if (!known.rest) forget_closed(lanes_of(link, s), known.why_closed, s);
}

std::uint32_t Lanes::wanted(LinkId link, std::uint32_t most, const LinkIds& lanes, OfLink& known, SessionState& s) {
  const Link& first = s.links.at(link);
  known.rest = false;
  if (!may_have_lanes(link, first, s)) {
    if (!first.up) known.opening.clear();
    why_ = "the link has one connection";
    return 1;
  }
  const auto failed = std::ranges::count_if(lanes, [&](LinkId id) { return has_failed(s.links.at(id)); });
  if (failed > 0) {
    for (const LinkId id : lanes) s.links.at(id).closing = has_failed(s.links.at(id));
    known.why_closed = "it failed";
    const auto left = static_cast<std::uint32_t>(lanes.size() - static_cast<std::size_t>(failed)) + 1;
    if (first.failures_in_a_row == 0) known.most = left;
    known.count.failed(s.now);
    return left;
  }
  if (connections_ > 0) {
    why_ = "as many connections as the user wants";
    return std::min(connections_, known.most);
  }
  LaneCount::Situation now = situation(link, lanes, known, s);
  const auto of_one = std::exchange(s.links.at(link).one_connection, std::nullopt);
  if (of_one) known.most = std::min(known.most, LaneCount::kMost - 1);  // that one is not ours
  now.most = std::min(most, known.most);
  LaneCount::Decision decision = of_one ? known.count.begin_beside(now, *of_one) : known.count.decide(now);
  why_ = std::move(decision.why);
  known.rest = decision.rest;
  return std::min(decision.lanes, now.most);
}

LaneCount::Situation Lanes::situation(LinkId link, const LinkIds& lanes, const OfLink& known,
                                      const SessionState& s) const {
  LaneCount::Situation now;
  now.now = s.now;
  now.lanes = static_cast<std::uint32_t>(lanes.size() + known.opening.size()) + 1;
  now.all_answer = known.opening.empty();
  now.busy = s.wants_bytes();
  now.watched = s.options.mode != StreamingMode::kDownload;
  boost::container::small_vector<Duration, LaneCount::kMost> round_trips;
  const auto add = [&](LinkId id) {
    const Link& lane = s.links.at(id);
    now.carried += lane.carried;
    const bool answers = lane.carried > DataSize{};
    now.all_answer = now.all_answer && answers;
    now.busy = now.busy && (!answers || s.book.outstanding().count(id) > 0);
    if (lane.round_trip.value() > Duration{}) round_trips.push_back(lane.round_trip.value());
    now.measured = std::max(now.measured, lane.round_trip_measured);
    const Duration least = lane.least_round_trip.value();
    if (least > Duration{}) now.least = now.least > Duration{} ? std::min(now.least, least) : least;
  };
  add(link);
  for (const LinkId id : lanes) add(id);
  now.all_rest = std::ranges::none_of(
      lanes_of(link, s), [&](LinkId id) { return s.links.at(id).closing && s.book.outstanding().count(id) > 0; });
  // They share a queue, but some have not looked at it for a while.
  if (!round_trips.empty()) {
    const auto middle = round_trips.begin() + static_cast<std::ptrdiff_t>(round_trips.size() / 2);
    std::ranges::nth_element(round_trips, middle);
    now.round_trip = *middle;
  }
  return now;
}

}  // namespace tributary
