#include "core/scheduling/scheduler.hh"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/qualities/lowering.hh"
#include "core/scheduling/front_first.hh"
#include "core/scheduling/rescue.hh"
#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"
#include "core/subsegments/balanced_subsegments.hh"

namespace tributary {
namespace {

const HandOver kHandOver;
const AskAgain kAskAgain;
const RepairLate kRepairLate;

/// Bytes are there that no link owes.
bool anything_new(const SessionState& s) {
  return s.may_start_segment() || !s.book.started_all_asked_for() || s.book.has_given_back();
}

bool is_read_from_the_front(const SessionState& s) {
  return (s.options.mode == StreamingMode::kDemanded || PartialPlay::needs_front(s)) &&
         traits_of(s.options.subsegments).room_in_bytes;
}

/// At low latency, whoever begins late is far behind.
bool begins_at_low_latency(const SessionState& s) {
  return s.options.latency > Duration{} && !s.playout.buffer().started();
}

/// Another link may be asked for owed bytes. While playout is paused, no viewer waits for them.
bool may_be_repaired(const SessionState& s) {
  return may_duplicate(s) && (s.is_awaited() || begins_at_low_latency(s) || s.everything_asked_for());
}

/// Such a link is asked for nothing more as long as another one lives.
bool may_be_dead(LinkId link, const LinksNow& present) {
  if (!silent_too_long(*std::ranges::find(present, link, &LinkNow::link))) return false;
  return std::ranges::any_of(present, [](const LinkNow& other) { return other.usable && !silent_too_long(other); });
}

/// Most arriving bytes change no decision: before this time, only bytes that give their link room do, as playout and rests
/// go on. A standby link, or one that was switched off, is looked at every time.
TimePoint end_of_quiet(const SessionState& s) {
  const auto waits = [](const auto& entry) { return entry.second.use == LinkUse::kWhenNeeded; };
  if (s.book.segments().empty() || s.book.first_plays() || s.links.all_switched_off() ||
      std::ranges::any_of(s.links.all(), waits))
    return TimePoint::min();
  const auto due = s.playout.buffer().next_due();
  return std::min({due ? *due - PartialPlay::lead(s) : TimePoint::max(),
                   s.links.next_return(s.now).value_or(TimePoint::max()),
                   Lowering::may_lower(s) ? s.lowering.rests_until() : TimePoint::max()});
}

/// Of these links, the one that would have brought so many bytes first.
std::size_t first_to_bring(DataSize size, const LinkEstimates& links) {
  const OfLinks<double> rates = rates_of(links);
  std::size_t first = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double end = to_seconds(links[i].free_in) + static_cast<double>(size.bytes()) / rates[i];
    if (end >= least) continue;
    least = end;
    first = i;
  }
  return first;
}

/// The link that brings the other pieces of the file, or would bring the part first.
std::size_t to_bring_whole(const WantedRange& wanted, const SegmentAssembly& segment, const LinkEstimates& links,
                           const SessionState& s) {
  const auto same = s.growing_files.link_of(s.part_of(segment, wanted.part));
  const auto there = same ? std::ranges::find(links, *same, &LinkEstimate::link) : links.end();
  return there != links.end() ? static_cast<std::size_t>(there - links.begin())
                              : first_to_bring(wanted.range.size(), links);
}

void perform(Repair repair, LinkId link, SegmentAssembly& segment, SessionState& s) {
  if (repair.given_back) {
    const WantedRange wanted = segment.take_given_back(*repair.given_back);
    return send_allowed(link, segment, wanted, std::move(repair.reason), s);
  }
  const OutstandingRequest& from = *s.book.find(repair.takes_over);
  const WantedRange wanted{from.part, repair.range, std::nullopt, from.wrong_answers};
  s.book.take_over(repair.takes_over, repair.range);
  s.send(link, segment, wanted, std::move(repair.reason), repair.takes_over);
}

std::unique_ptr<SubsegmentPlanner> planner_of(const SessionOptions& options, const Rules& rules) {
  if (traits_of(options.subsegments).room_in_bytes && !rules.sizing)
    return make_planner(SubsegmentApproach::kStatic, balanced_request(options.subsegment_size));
  return make_planner(options.subsegments, options.subsegment_size);
}

}  // namespace

Scheduler::Scheduler(const SessionOptions& options, const Rules& rules)
    : room_{make_link_room(options)}, planner_{planner_of(options, rules)} {}

bool Scheduler::ask(SessionState& s) {
  quiet_until_ = end_of_quiet(s);
  const bool new_bytes = anything_new(s);
  if (!new_bytes && !may_be_repaired(s)) return false;
  const OutstandingRequests& outstanding = s.book.outstanding();
  const LinksNow present = s.links_now();
  if (hand_over(present, s)) return true;
  const LinkIds to_ask = room_->links_to_ask(s.links, present, outstanding, s.now);
  if (to_ask.empty()) return false;
  const bool only_if_dead = !new_bytes && !s.rules.take_over;  // bytes that come make no link silent
  quiet_until_ = only_if_dead ? std::min(quiet_until_, s.now + kLookAgain) : TimePoint::min();
  if (!new_bytes && !s.everything_asked_for() && time_enough(present, outstanding, s.first_due(), s.now)) return false;
  LinkEstimates links;
  if (s.may_start_segment() || !s.book.started_all_asked_for()) links = s.links.estimates(present, outstanding);
  return std::ranges::any_of(to_ask, [&](LinkId link) { return ask_link(link, present, links, s); });
}

bool Scheduler::ask_link(LinkId link, const LinksNow& present, const LinkEstimates& links, SessionState& s) {
  if (may_be_dead(link, present)) return false;
  if (ask_again(link, present, s) || repair_late(link, present, s)) return true;
  if (links.empty()) return false;
  LinkEstimates forecast = links;
  std::size_t left_to_others = 0;
  for (SegmentAssembly& segment : s.book.segments()) {
    if (!segment.next_new() || s.spending.unreserved(segment) <= DataSize{}) continue;
    if (ask_new(link, segment, forecast, s)) return true;
    leave_to_others(segment, forecast, s);
    ++left_to_others;
  }
  if (left_to_others >= links.size() || !s.may_start_segment()) return false;
  start_segment(links, s);
  return ask_new(link, s.book.segments().back(), forecast, s);
}

/// The link that is asked brings nothing of this segment: moves the forecast on to when other links have brought it.
void Scheduler::leave_to_others(const SegmentAssembly& segment, LinkEstimates& links, const SessionState& s) {
  if (!segment.comes_whole()) return planner_->left_to_others(s.spending.unreserved(segment), links);
  const WantedRange wanted = *segment.next_new();
  const DataSize size = wanted.range.size();
  const std::size_t first = to_bring_whole(wanted, segment, links, s);
  links[first].free_in += from_seconds(static_cast<double>(size.bytes()) / rates_of(links)[first]);
}

/// Asks for the next new bytes of the segment. A part that has to come in one answer is left to the link that brings it first.
bool Scheduler::ask_new(LinkId link, SegmentAssembly& segment, const LinkEstimates& links, SessionState& s) {
  std::optional<WantedRange> wanted = segment.next_new();
  if (!wanted) return false;
  if (segment.comes_whole()) {
    if (links[to_bring_whole(*wanted, segment, links, s)].link != link) return false;
  } else {
    const bool read_from_the_front = is_read_from_the_front(s);
    const DataSize planned = planner_->next_size(s.spending.unreserved(segment), link, links);
    DataSize size = std::min({planned, wanted->range.size(), s.spending.costs.left(link).value_or(planned)});
    if (read_from_the_front) {
      size = std::min(size, largest_read_range(link, links, s.book.outstanding()));
    }
    if (size <= DataSize{}) return false;
    planner_->taken(size);
    wanted->range.end = wanted->range.begin + size;
    if (read_from_the_front) {
      wanted =
          segment.place_behind(bytes_in_front(link, size, segment, links, s.book.outstanding()), size, kLeastRequest);
    }
    if (wanted->range.size() > s.spending.costs.left(link).value_or(wanted->range.size()))
      wanted->range.end = wanted->range.begin + size;
  }
  if (!s.spending.costs.may_request(link, wanted->range.size())) return false;
  segment.take(*wanted);
  const OutstandingRequest* head = s.book.outstanding().head(link);
  s.send(link, segment, *wanted,
         head == nullptr ? "the link is idle" : fmt::format("pipelined behind request {}", to_index(head->id)));
  return true;
}

void Scheduler::start_segment(const LinkEstimates& links, SessionState& s) {
  start_next_segment(links, s);
  planner_->segment_started();
}

// ---- Repairs

/// At once, even if that link has no room: one request more. Further ranges wait for room, because by then the lost
/// link may be back.
bool Scheduler::hand_over(const LinksNow& present, SessionState& s) {
  for (SegmentAssembly& segment : s.book.segments()) {
    std::optional<Repair> repair = kHandOver.find({{}, present, segment, {}}, s);
    if (!repair) continue;
    const std::optional<LinkId> link = heir(present, s);
    if (link) perform(std::move(*repair), *link, segment, s);
    return link.has_value();
  }
  return false;
}

/// The link that is done soonest with its bytes, of those with room for one more request.
std::optional<LinkId> Scheduler::heir(const LinksNow& present, const SessionState& s) const {
  const OutstandingRequests& outstanding = s.book.outstanding();
  std::optional<LinkId> soonest;
  Duration free_in = Duration::max();
  for (const LinkNow& link : present) {
    if (!link.usable || silent_too_long(link) || s.is_spared(link.link) ||
        !s.spending.costs.may_request(link.link, DataSize{1}) ||
        !room_->has_room_for_one_more(link, s.links.at(link.link), outstanding))
      continue;
    const Duration takes = link.rate ? outstanding.bytes_left(link.link) / *link.rate : kFirstAnswer;
    if (takes >= free_in) continue;
    free_in = takes;
    soonest = link.link;
  }
  return soonest;
}

bool Scheduler::ask_again(LinkId link, const LinksNow& present, SessionState& s) {
  return std::ranges::any_of(s.book.segments(), [&](const SegmentAssembly& segment) {
    return repair_by(kAskAgain, {link, present, segment, {}}, s);
  });
}

/// When there is nothing else left to ask for, everything is wanted at once.
bool Scheduler::repair_late(LinkId link, const LinksNow& present, SessionState& s) {
  if (!may_be_repaired(s)) return false;
  const bool last = s.everything_asked_for();
  LinksNow links = present;
  if (s.spending.costs.any()) s.spending.leave_out_spared(links, s.now);
  const DuplicatesLeft duplicates = s.book.duplicates_left();
  TimePoint due = s.first_due();
  for (const SegmentAssembly& segment : s.book.segments()) {
    if (segment.plays()) {
      const RepairPlace place{link, links, segment, last ? std::nullopt : std::optional{s.now}, duplicates};
      if (repair_by(kRepairLate, place, s)) return true;
      continue;
    }
    if (!s.demand.empty()) due = s.demand.due(segment.segment()).value_or(TimePoint::max());
    const RepairPlace place{link, links, segment, last ? std::nullopt : std::optional{due}, duplicates};
    if (repair_by(kRepairLate, place, s)) return true;
    if (s.demand.empty()) due += s.playout.play_time(s.timeline.table().duration(segment.segment()));
  }
  return false;
}

bool Scheduler::repair_by(const RepairRule& rule, const RepairPlace& place, SessionState& s) {
  std::optional<Repair> repair = rule.find(place, s);
  if (!repair) return false;
  perform(std::move(*repair), place.link, *s.book.find_segment(place.segment.segment()), s);
  return true;
}

void send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason, SessionState& s) {
  const DataSize most = s.spending.costs.left(link).value_or(wanted.range.size());
  if (wanted.range.size() > most) {
    WantedRange rest = wanted;
    rest.range.begin = wanted.range.end = wanted.range.begin + most;
    segment.give_back(rest);
  }
  s.send(link, segment, wanted, std::move(reason));
}

// ---- What is known

bool Scheduler::has_room_again(RequestId request, const SessionState& s) const {
  const OutstandingRequests& outstanding = s.book.outstanding();
  const LinkId id = outstanding.find(request)->link;
  return room_->has_room_again(id, s.links.at(id), outstanding);
}

bool Scheduler::may_become_late(const SessionState& s) {
  const OutstandingRequests& outstanding = s.book.outstanding();
  if (s.book.segments().empty() || outstanding.empty()) return false;
  if (!s.may_stand_still() && !begins_at_low_latency(s) && !s.everything_asked_for()) return false;
  return std::ranges::any_of(s.links.usable(s.now), [&](LinkId link) { return outstanding.head(link) == nullptr; });
}

}  // namespace tributary
