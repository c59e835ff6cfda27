// What the session asks of which link.

#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/balanced_subsegments.hh"
#include "core/rescue.hh"

namespace tributary {

LinkIds Session::links_to_ask(const LinksNow& present) const {
  if (!byte_window_) return scheduler_.links_to_ask(links_.usable(now_), outstanding_);
  LinkIds with_room;
  for (const LinkNow& link : present) {
    if (link.usable && has_room(link.link, links_.at(link.link), link.rate)) with_room.push_back(link.link);
  }
  if (with_room.size() < 2) return with_room;
  return byte_window_->links_to_ask(links_.estimates(present, outstanding_), outstanding_);
}

/// Some link, for what no other one owes.
bool Session::may_be_asked_for_more() const {
  const auto gave_back = [](const SegmentAssembly& segment) { return !segment.given_back().empty(); };
  return may_start_segment() || !started_all_asked_for() || std::ranges::any_of(assembling_, gave_back);
}

/// Who is to be asked next depends on what this link owes then.
bool Session::ask_a_link() {
  if (spending_.costs.any()) return ask_by_cost();
  quiet_until_ = end_of_quiet();
  const bool anything_new = may_be_asked_for_more();
  if (!anything_new && !may_be_taken_over()) return false;
  const LinksNow present = links_.now(outstanding_, now_);
  if (hand_over(present)) return true;
  const LinkIds to_ask = links_to_ask(present);
  if (to_ask.empty()) return false;
  const bool only_if_dead = !anything_new && !rules_.take_over;  // bytes that come make no link silent
  quiet_until_ = only_if_dead ? std::min(quiet_until_, now_ + kLookAgain) : TimePoint::min();
  if (!anything_new && !everything_asked_for() && time_enough(present, outstanding_, first_due(), now_)) return false;
  LinkEstimates links;
  if (may_start_segment() || !started_all_asked_for()) links = links_.estimates(present, outstanding_);
  return std::ranges::any_of(to_ask, [&](LinkId link) { return ask_link(link, present, links); });
}

/// links: empty if there is nothing new to be asked for.
bool Session::ask_link(LinkId link, const LinksNow& present, const LinkEstimates& links) {
  if (may_be_dead(link, present)) return false;
  if (ask_again(link) || take_over_late(link, present)) return true;
  if (links.empty()) return false;
  LinkEstimates forecast = links;
  std::size_t left_to_others = 0;
  for (SegmentAssembly& segment : assembling_) {
    if (!segment.next_new() || spending_.unreserved(segment) <= DataSize{}) continue;
    if (ask_new(link, segment, forecast)) return true;
    planner_->left_to_others(spending_.unreserved(segment), forecast);
    ++left_to_others;
  }
  if (left_to_others >= links.size() || !may_start_segment()) return false;
  start_segment(links);
  return ask_new(link, assembling_.back(), forecast);
}

/// It is asked for nothing more as long as there is another link.
bool Session::may_be_dead(LinkId link, const LinksNow& present) const {
  if (!silent_too_long(*std::ranges::find(present, link, &LinkNow::link))) return false;
  return std::ranges::any_of(present, [](const LinkNow& other) { return other.usable && !silent_too_long(other); });
}

/// The next bytes of the segment that nobody was asked for.
bool Session::ask_new(LinkId link, SegmentAssembly& segment, const LinkEstimates& links) {
  std::optional<WantedRange> wanted = segment.next_new();
  if (!wanted) return false;
  if (!whole_parts_) {
    const DataSize planned = planner_->next_size(spending_.unreserved(segment), link, links);
    const DataSize size = std::min({planned, wanted->range.size(), spending_.costs.left(link).value_or(planned)});
    if (size <= DataSize{}) return false;
    planner_->taken(size);
    wanted->range.end = wanted->range.begin + size;
  }
  if (!spending_.costs.may_request(link, wanted->range.size())) return false;
  segment.take_new(wanted->range.size());
  const OutstandingRequest* head = outstanding_.head(link);
  send(link, segment, *wanted,
       head == nullptr ? "the link is idle" : fmt::format("pipelined behind request {}", to_index(head->id)));
  return true;
}

/// There are several links to be asked whenever something is to be asked for.
bool Session::others_may_try() const {
  return std::ranges::count_if(links_.usable(now_), [&](LinkId link) { return !is_spared(link); }) > 1;
}

/// Ranges whose request failed go first, to another link than the one they failed on unless it is the only
/// one; and so does what a link could not be asked for, because it may not bring that much.
bool Session::ask_again(LinkId link) {
  if (!spending_.costs.may_request(link, DataSize{1})) return false;
  for (SegmentAssembly& segment : assembling_) {
    for (std::size_t i = 0; i < segment.given_back().size(); ++i) {
      const WantedRange& candidate = segment.given_back()[i];
      if (candidate.failed_on == link && others_may_try()) continue;
      const WantedRange wanted = segment.take_given_back(i);
      send_allowed(link, segment, wanted,
                   wanted.failed_on ? fmt::format("again: failed on {}", links_.at(*wanted.failed_on).name)
                                    : "more than another link may bring");
      return true;
    }
  }
  return false;
}

/// What a link owed that cannot be used any more is asked of another one at once, even if that has been asked for enough: one
/// request more. The rest of it, if there is any, waits for room, because by then the link may be back.
bool Session::hand_over(const LinksNow& present) {
  for (SegmentAssembly& segment : assembling_) {
    for (std::size_t i = 0; i < segment.given_back().size(); ++i) {
      const std::optional<LinkId> lost = segment.given_back()[i].failed_on;
      if (!lost || links_.at(*lost).usable(now_)) continue;
      const std::optional<LinkId> link = heir(present);
      if (!link) return false;
      const WantedRange wanted = segment.take_given_back(i);
      send_allowed(*link, segment, wanted, fmt::format("again: failed on {}", links_.at(*lost).name));
      return true;
    }
  }
  return false;
}

/// The link that has brought soonest what it owes, of those that owe no more than they would be asked for, and one request.
std::optional<LinkId> Session::heir(const LinksNow& present) const {
  std::optional<LinkId> soonest;
  Duration free_in = Duration::max();
  for (const LinkNow& link : present) {
    if (!link.usable || silent_too_long(link) || is_spared(link.link) ||
        !spending_.costs.may_request(link.link, DataSize{1}))
      continue;
    const Duration round_trip = links_.at(link.link).least_round_trip.value();
    const bool has_room = byte_window_
                              ? byte_window_->has_room_for_one_more(link.link, link.rate, round_trip, outstanding_)
                              : outstanding_.count(link.link) <= options_.depth;
    if (!has_room) continue;
    const Duration takes = link.rate ? outstanding_.bytes_left(link.link) / *link.rate : kFirstAnswer;
    if (takes >= free_in) continue;
    free_in = takes;
    soonest = link.link;
  }
  return soonest;
}

/// What a link owes, by another one.
bool Session::may_be_taken_over() const {
  if (!(rules_.rescue || rules_.take_over) || whole_parts_ || outstanding_.empty()) return false;
  // Somebody waits for a reporting player to begin; while it is paused, nobody waits.
  const bool awaited = playout_.next_due() || (options_.playout == PlayoutSource::kReported && !playout_.started());
  return awaited || everything_asked_for();
}

/// When the first of the segments that are being received is wanted.
TimePoint Session::first_due() const { return playout_.next_due().value_or(now_) + play_time(playout_.buffered()); }

/// What another link will bring too late, this one brings as well (take_over.hh). When there is nothing else left to ask
/// for, everything is wanted at once.
bool Session::take_over_late(LinkId link, const LinksNow& present) {
  if (!may_be_taken_over()) return false;
  const bool last = everything_asked_for();
  LinksNow links = present;
  if (spending_.costs.any()) spending_.leave_out_spared(links, now_);
  TimePoint due = first_due();
  for (SegmentAssembly& segment : assembling_) {
    const auto wanted = last ? std::nullopt : std::optional{due};
    if (rescue_lost(link, links, segment, wanted)) return true;
    const auto late = !rules_.take_over
                          ? std::nullopt
                          : take_over(link, links, outstanding_, segment.segment(), wanted, may_be_duplicated(), now_);
    if (late && spending_.costs.may_request(link, late->range.size())) {
      take_over_late_from(*late, link, segment);
      return true;
    }
    due += play_time(table_.duration(segment.segment()));
  }
  return false;
}

/// What it has been asked for keeps it busy for a round trip. More at once would come in a burst, of which a short queue drops the end.
bool Session::is_busy_until_it_answers(LinkId id) const {
  const OutstandingRequest* head = outstanding_.head(id);
  if (head == nullptr || head->began) return false;
  const Link& link = links_.at(id);
  const auto rate = link.rate(id, outstanding_);
  return rate && outstanding_.bytes_left(id) >= *rate * link.least_round_trip.value();
}

bool Session::rescue_lost(LinkId link, std::span<const LinkNow> links, SegmentAssembly& segment,
                          std::optional<TimePoint> due) {
  if (!rules_.rescue || is_busy_until_it_answers(link)) return false;
  const auto lost = rescue(link, links, outstanding_, segment.segment(), due, now_);
  if (!lost || !spending_.costs.may_request(link, lost->range.size())) return false;
  take_over_from(lost->from, lost->range, link, segment,
                 fmt::format("owes it, and brings next to nothing (silent for {:.3f} s)", to_seconds(lost->silent)));
  return true;
}

void Session::take_over_late_from(const TakeOver& late, LinkId link, SegmentAssembly& segment) {
  take_over_from(late.from, late.range, link, segment,
                 fmt::format("owes it, and is expected {:.3f} s after it is due; {:.3f} s sooner from here",
                             to_seconds(late.late), to_seconds(late.sooner)));
}

void Session::take_over_from(RequestId id, ByteRange range, LinkId link, SegmentAssembly& segment,
                             const std::string& why) {
  OutstandingRequest& from = *outstanding_.find(id);
  from.taken_over_from = range.begin;
  duplicated_ += range.size();
  send(link, segment, {from.part, range, std::nullopt, from.wrong_answers},
       fmt::format("{} {}", links_.at(from.link).name, why), id);
}

bool Session::may_start_segment() const {
  if (all_known_requested() || (!rules_.several_segments && !assembling_.empty())) return false;
  if (is_live(options_.mode) && to_index(next_segment_) >= published_at_.size()) return false;
  return assembling_.size() + playout_.buffered_segments() < options_.buffer_segments;
}

/// Live without buffering: if playout is more than one segment behind what exists, or behind where the user wants it to be,
/// go on with the newest (thesis 4.2.3).
void Session::skip_to_live_edge() {
  const auto newest = static_cast<SegmentIndex>(published_at_.size() - 1);
  const TimePoint plays_at = std::max(now_, playout_.next_due().value_or(now_));
  while (next_segment_ < newest) {
    const Duration lag = plays_at - published_at_[to_index(next_segment_)] - accepted_lag_;
    if (lag <= table_.duration(next_segment_)) return;
    skip_next(lag, fmt::format("{:.3f} s behind, segment {} is out", to_seconds(lag), to_index(newest)));
  }
}

void Session::skip_next(Duration lag, std::string reason) {
  actions_.push_back(action::SkipSegment{next_segment_, lag, std::move(reason)});
  next_segment_ = next(next_segment_);
}

void Session::send(LinkId link, SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
                   std::optional<RequestId> takes_over) {
  const RequestId id = next_request_;
  next_request_ = next(id);
  const auto throughput = links_.at(link).estimator->throughput();
  const Duration expected =
      throughput ? (outstanding_.bytes_left(link) + wanted.range.size()) / *throughput : Duration{};
  OutstandingRequest request{id, link, segment.segment(), wanted.part, wanted.range, wanted.wrong_answers, now_};
  request.expected = expected;
  request.takes_over = takes_over;
  outstanding_.add(request);
  spending_.costs.requested(link, wanted.range.size());
  actions_.push_back(action::SendRequest{
      id, link, segment.segment(), wanted.part, wanted.range, throughput, std::move(reason), takes_over,
      whole_parts_ && wanted.range == ByteRange{DataSize{}, segment.part_size(wanted.part)}});
}

// ---- What is known

DuplicatesLeft Session::may_be_duplicated() const {
  const DataSize in_all = scale(received_, options_.duplicates_percent / 100.0);
  const DataSize left = std::max(in_all - duplicated_, DataSize{});
  return {left, left > scale(in_all, 1.0 / 3)};
}

/// A link has nothing to do, and another one owes something.
bool Session::may_become_late() const {
  const bool awaited = playout_.started() || options_.playout == PlayoutSource::kReported || everything_asked_for();
  if (assembling_.empty() || outstanding_.empty() || !awaited) return false;
  return std::ranges::any_of(links_.usable(now_), [&](LinkId link) { return outstanding_.head(link) == nullptr; });
}

bool Session::has_room(LinkId id, const Link& link, std::optional<DataRate> rate) const {
  if (link.answer_delay.value() > Duration::zero())
    return ByteWindow::has_room_while_answers_stand_still(id, outstanding_);
  if (!rate && link.remembered)
    return byte_window_->has_room(id, link.remembered->rate, link.remembered->round_trip, outstanding_);
  return byte_window_->has_room(id, rate, link.least_round_trip.value(), outstanding_);
}

/// The link that has brought something of this request may be asked for more by that.
bool Session::has_room_again(RequestId request) {
  if (!byte_window_) return false;
  const LinkId id = outstanding_.find(request)->link;
  const Link& link = links_.at(id);
  return has_room(id, link, link.most_rate(id, outstanding_)) && has_room(id, link, link.rate(id, outstanding_));
}

/// Most events are bytes, and of most of these nothing follows: nobody may be asked, unless by these bytes their link owes
/// little enough, and neither playout nor a link has come to the end of what it does. Who waits to be needed, or to be
/// switched on, is looked at every time.
TimePoint Session::end_of_quiet() const {
  const auto waits = [](const auto& entry) { return entry.second.use == LinkUse::kWhenNeeded; };
  if (assembling_.empty() || links_.all_switched_off() || std::ranges::any_of(links_.all(), waits))
    return TimePoint::min();
  const TimePoint due = playout_.next_due().value_or(TimePoint::max());
  return std::min({due, links_.next_return(now_).value_or(TimePoint::max()),
                   may_be_lowered() ? qualities_hold_until_ : TimePoint::max()});
}

SegmentAssembly* Session::find_segment(SegmentIndex index) {
  for (SegmentAssembly& segment : assembling_) {
    if (segment.segment() == index) return &segment;
  }
  return nullptr;
}

bool Session::whole_part_outstanding(const SegmentAssembly& segment, std::uint32_t part) const {
  const ByteRange whole{DataSize{}, segment.part_size(part)};
  return std::ranges::any_of(outstanding_.all(), [&](const OutstandingRequest& request) {
    return !request.abandoned && request.segment == segment.segment() && request.part == part && request.range == whole;
  });
}

Duration Session::play_time(Duration media) const {
  return playout_.speed() == 1 ? media : from_seconds(to_seconds(media) / playout_.speed());
}

Duration Session::media_time(Duration time) const {
  return playout_.speed() == 1 ? time : from_seconds(to_seconds(time) * playout_.speed());
}

}  // namespace tributary
