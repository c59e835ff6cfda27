#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/scheduling/why_late.hh"

namespace tributary {

Session::Session(SegmentTable table, SessionOptions options)
    : state_{std::move(table), std::move(options)},
      scheduler_{state_.options, state_.rules},
      failed_requests_{state_.options.mode} {}

void Session::handle(const Event& event, TimePoint now) {
  if (finished_) return;
  assert(now >= state_.now);
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event);
      bytes != nullptr && now < scheduler_.quiet_until()) {
    state_.now = now;
    if (!take_in(*bytes) && !scheduler_.has_room_again(bytes->request, state_)) return;
  } else {
    const bool wants_bytes = state_.wants_bytes();
    if (!wants_bytes || state_.links.all_switched_off()) state_.wait.restart(now);
    if (!wants_bytes || state_.links.empty()) state_.qualities.rest(now);
    state_.now = now;
    state_.playout.advance(now, state_.actions);
    tell_stall();
    std::visit([this](const auto& e) { on(e); }, event);
    if (finished_) return;
  }
  deliver_complete_segments();
  state_.playout.start_if_ready(state_.options.segments_to_start(), state_.nothing_more_comes(), now, state_.actions);
  state_.lowering.look(state_);
  schedule();
  finish_if_over();
}

std::optional<TimePoint> Session::next_deadline() const {
  if (finished_) return std::nullopt;
  const SessionState& s = state_;
  TimePoint look_again = look_again_ ? s.now + Scheduler::kLookAgain : TimePoint::max();
  if (Lowering::may_lower(s))
    look_again = std::min(look_again, std::max(s.lowering.rests_until(), s.now + Duration{1}));
  const TimePoint renewal = s.book.outstanding().empty() ? TimePoint::max() : s.wait.renewal();
  const TimePoint give_up = s.wait.since() + s.options.give_up_after;
  TimePoint earliest = std::min({scheduler_.quiet_until(), give_up, renewal, look_again});
  if (earliest > s.now) return earliest;
  earliest = look_again;
  const auto consider = [&](TimePoint t) {
    if (t > s.now) earliest = std::min(earliest, t);
  };
  if (const auto due = s.playout.buffer().next_due()) consider(*due);
  if (const auto back = s.links.next_return(s.now)) consider(*back);
  if (s.wants_bytes()) consider(give_up);
  consider(renewal);
  if (earliest == TimePoint::max()) return std::nullopt;
  return earliest;
}

// ---- What happened

/// The thesis' start counts on no remembered rate, and money does not depend on one.
void Session::on(const event::LinkUp& e) {
  const bool counts =
      e.remembered_rate && state_.options.start == StartRule::kFast && !state_.spending.costs.spared(e.link);
  state_.links.up(e.link, e.name, e.use,
                  counts ? std::optional{RememberedLink{*e.remembered_rate, e.remembered_rtt}} : std::nullopt);
}

void Session::on(const event::LinkUseChanged& e) {
  if (!state_.links.all().contains(e.link)) return;
  Link& link = state_.links.at(e.link);
  link.use = e.use;
  link.needed = false;
  if (e.use == LinkUse::kDoNotUse && state_.book.outstanding().count(e.link) > 0)
    RequestBook::abandon(e.link, "switched off by the user", state_.actions);
}

void Session::on(const event::ResponseBegan& e) {
  OutstandingRequest* request = state_.book.find(e.request);
  if (request == nullptr) return;
  request->began = true;
  state_.links.at(request->link).response_began(*request, state_.now);
}

bool Session::take_in(const event::BytesReceived& e) {
  OutstandingRequest* request = state_.book.find(e.request);
  if (request == nullptr) return true;
  state_.links.at(request->link).received(*request, e.size, state_.now);
  state_.wait.received(e.size, state_.now);
  if (!state_.spending.costs.any() || !state_.is_spared(request->link)) state_.qualities.received(e.size);
  return state_.book.receive(*request, e.size, state_.now);
}

void Session::on(const event::RequestDone& e) {
  const OutstandingRequest* request = state_.book.find(e.request);
  if (request == nullptr) return;
  state_.links.at(request->link).request_done(*request, state_.now);
  state_.book.remove(e.request);
}

void Session::on(const event::RequestFailed& e) {
  if (auto end = failed_requests_.handle(e, state_)) finish(false, std::move(*end));
}

void Session::on(const event::RoundTripMeasured& e) {
  Link& link = state_.links.at(e.link);
  link.round_trip.sample(e.round_trip, e.least);
  link.least_round_trip.sample(e.least, state_.now);
}

void Session::on(const event::SeekRequested& e) {
  const SegmentTable& table = this->table();
  const bool other_sound = e.sound && table.sound() != e.sound;
  if (other_sound) {
    state_.timeline.choose_sound(*e.sound);
    state_.book.forget_init_parts();
  }
  const SegmentIndex segment = state_.timeline.nearest_to(e.segment);
  const std::uint32_t cached = segment == e.segment ? e.cached : 0;
  state_.playout.seek(segment, cached, table, state_.now);
  const auto first_missing = static_cast<SegmentIndex>(std::min(to_index(segment) + cached, table.segment_count()));
  state_.qualities.seek(first_missing);
  if (!state_.book.drop_all_but(first_missing, !other_sound, state_.actions))
    state_.timeline.continue_with(first_missing);
  state_.book.abandon_what_is_not_wanted(state_.links_now(), state_.actions);
  delivery_told_ = false;
  state_.wait.restart(state_.now);
  if (const auto age = state_.timeline.age(segment, state_.now))
    state_.playout.accept_age(*age, table.duration(segment));
}

void Session::on(const event::PlayoutReported& e) {
  if (state_.playout.report(e, state_.timeline, state_.now, state_.actions)) tell_stall();
}

// ---- What follows from it, in the order of handle()

void Session::tell_stall() {
  if (!state_.playout.has_new_stall(state_.now) || state_.nothing_more_comes()) return;
  state_.playout.tell_stall(state_.book.segments().empty()
                                ? "the next segment is not published yet"
                                : "late" + why_late(state_) + state_.spending.used_up_links(state_),
                            state_.actions);
}

/// A download delivers in any order: one slow link must not close the window for the others.
void Session::deliver_complete_segments() {
  SessionState& s = state_;
  if (s.options.mode == StreamingMode::kDownload) {
    for (const SegmentIndex segment : s.book.take_complete()) s.actions.push(action::DeliverSegment{segment});
    return;
  }
  while (const auto segment = s.book.take_complete_front()) {
    s.qualities.segment_complete(*segment, s.playout.buffer().speed(), s.now);
    s.actions.push(action::DeliverSegment{*segment});
    s.playout.add(*segment, table().duration(*segment), s.now, s.actions);
  }
}

void Session::schedule() {
  SessionState& s = state_;
  s.playout.look_for_wish_to_start(s.wants_bytes() && !s.links.empty(), s.now);
  const bool costs = s.spending.costs.any();
  if (costs) {
    s.spending.look_for_used_up_links(s);
    s.spending.look_for_free_links(s.links, s.now);
  }
  renew_connections();
  needed_links_.decide(s);
  while (costed_scheduler_.ask(s)) {
  }
  if (costs) s.spending.look_for_used_up_links(s);
  look_again_ = Scheduler::may_become_late(s) || NeededLinks::may_become_needed(s) || (costs && s.wants_bytes());
}

/// Gives up the connections of links that have brought next to nothing of their answers for long. A link without a byte
/// of its answer is left to its connection, which knows for how long an origin may be silent.
void Session::renew_connections() {
  const OutstandingRequests& outstanding = state_.book.outstanding();
  if (outstanding.empty() || !state_.wants_bytes() || state_.now < state_.wait.renewal()) return;
  state_.wait.renewed(state_.now);
  for (const auto& [id, link] : state_.links.all()) {
    const OutstandingRequest* head = outstanding.head(id);
    if (head == nullptr || head->received == DataSize{}) continue;
    const double seconds = to_seconds(VainWait::kRenewAfter);
    RequestBook::abandon(id, fmt::format("next to nothing came for {:.0f} s", seconds), state_.actions);
  }
}

void Session::finish_if_over() {
  SessionState& s = state_;
  if (s.nothing_more_comes()) {
    if (s.options.stays_open) {
      if (!delivery_told_) s.actions.push(action::AllDelivered{});
      delivery_told_ = true;
      return;
    }
    s.playout.play_out(s.actions);
    finish(true, "every segment was received");
  } else if (!s.options.stays_open && s.spending.nothing_left(s.now)) {
    finish(false, "no link is left" + s.spending.used_up_links(s), true);
  } else if (s.wants_bytes() && s.now >= s.wait.since() + s.options.give_up_after) {
    const std::string came =
        s.wait.came() == DataSize{} ? "no byte" : fmt::format("next to nothing ({} bytes)", s.wait.came().bytes());
    finish(false, fmt::format("{} came for {:.0f} s{}{}{}", came, to_seconds(s.options.give_up_after), why_late(s),
                              failed_requests_.last(), s.spending.used_up_links(s)));
  }
}

void Session::finish(bool complete, std::string reason, bool used_up) {
  finished_ = true;
  state_.actions.push(action::Finish{complete, std::move(reason), used_up});
}

}  // namespace tributary
