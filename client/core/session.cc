#include "core/session.hh"

#include <cassert>
#include <utility>

#include "core/links/link_changes.hh"
#include "core/next_deadline.hh"
#include "core/playout/stalls.hh"
#include "core/requests/answers.hh"
#include "core/requests/delivery.hh"
#include "core/requests/rest_arrived.hh"
#include "core/timeline/seek.hh"
#include "units/overloaded.hh"

namespace tributary {

Session::Session(SegmentTable table, SessionOptions options)
    : state_{std::move(table), std::move(options)},
      round_{state_.options, state_.rules},
      failed_requests_{state_.options.mode} {}

void Session::handle(const Event& event, TimePoint now) {
  if (finished()) return;
  SessionState& s = state_;
  assert(now >= s.now);
  const auto* bytes = std::get_if<event::BytesReceived>(&event);
  if (bytes != nullptr && now < round_.scheduler().quiet_until()) {
    if (!take_in_bytes(*bytes, now)) return;
  } else {
    s.move_to(now);
    s.partial.look(s);
    tell_new_stall(s);
    dispatch(event);
    if (finished()) return;
  }
  s.partial.look(s);
  deliver_complete_segments(s);
  s.playout.start_if_ready(s.options.segments_to_start(),
                           s.nothing_more_comes() || (s.book.segments().empty() && s.is_full()), now, s.actions);
  s.latency.look(s);
  s.lowering.look(s);
  round_.ask(s);
  end_.look(failed_requests_.last(), s);
}

std::optional<TimePoint> Session::next_deadline() const {
  if (finished()) return std::nullopt;
  return tributary::next_deadline(state_, round_);
}

bool Session::take_in_bytes(const event::BytesReceived& bytes, TimePoint now) {
  state_.now = now;
  return take_in(bytes, state_) || round_.scheduler().has_room_again(bytes.request, state_);
}

/// Links, answers and seeks concern several parts: link_changes.hh, answers.hh and seek.hh take them in.
void Session::dispatch(const Event& event) {
  SessionState& s = state_;
  std::visit(Overloaded{
                 [&](const event::LinkCostTold& e) { s.spending.costs.told(e.link, e); },
                 [&](const event::SegmentAdded& e) { s.timeline.add(e.segment, e.tracks); },
                 [&](const event::SegmentPublished& e) { s.timeline.publish(e.segment, s.now, s.actions, e.age); },
                 [&](const event::WindowMoved& e) { s.timeline.move_window(e.first, s.now, s.actions); },
                 [&](const event::PresentationEnded&) { s.timeline.end(); },
                 [&](const event::FramesTold& e) { s.partial.told(e); },
                 [&](const event::QualityChosen& e) { s.qualities.choose_by_user(e, table()); },
                 [&](const event::RequestFailed& e) {
                   if (auto end = failed_requests_.handle(e, s)) end_.finish(std::move(*end), s.actions);
                 },
                 [&](const event::SeekRequested& e) {
                   take_in(e, s);
                   end_.more_is_wanted();
                 },
                 [&](const event::PlayoutReported& e) {
                   if (s.playout.report(e, s.timeline, s.now, s.actions)) tell_new_stall(s);
                 },
                 [&](const event::StopRequested& e) {
                   end_.finish({false, e.why}, s.actions);
                 },
                 [](const event::DeadlineReached&) {},  // the stages look at the time themselves
                 [&](const auto& e) { take_in(e, s); },
             },
             event);
}

}  // namespace tributary
