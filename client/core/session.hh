#pragma once

#include <optional>
#include <string>

#include "core/event.hh"
#include "core/links/needed_links.hh"
#include "core/requests/failed_requests.hh"
#include "core/scheduling/costed_scheduler.hh"
#include "core/scheduling/scheduler.hh"
#include "core/session_state.hh"

namespace tributary {

/// One stream over all links. It is told what happened and when, and says what to do next. It owns no clock, socket or
/// thread; the same table, options and timed events always give the same actions.
///
/// It dispatches: each part of SessionState takes in the events that concern it, and then the stages decide, in this
/// order. Playout moves on to the present; the event is taken in; complete segments are delivered; playout begins if
/// enough is buffered; late segments are lowered; links are asked for more; the session ends if nothing is left to do.
/// Times never go backwards. Finish is the last action.
class Session {
 public:
  /// Throws std::invalid_argument if the options are impossible or the adaptation is unknown.
  Session(SegmentTable table, SessionOptions options);

  void handle(const Event& event, TimePoint now);
  /// The world performs actions in order, before the next event.
  std::optional<Action> next_action() { return state_.actions.pop(); }
  /// The session must be told DeadlineReached by then.
  std::optional<TimePoint> next_deadline() const;
  bool finished() const { return finished_; }

  const SegmentTable& table() const { return state_.timeline.table(); }
  const SessionOptions& options() const { return state_.options; }

  // State of this moment, for displays.
  const PlayoutBuffer& playout() const { return state_.playout.buffer(); }
  const LinkTable& links() const { return state_.links; }
  const OutstandingRequests& outstanding() const { return state_.book.outstanding(); }

 private:
  /// True if the bytes complete a segment, or belong to no request: then every stage looks.
  bool take_in(const event::BytesReceived& e);

  void on(const event::LinkUp& e);
  void on(const event::LinkDown& e) { state_.links.down(e.link); }
  void on(const event::LinkUseChanged& e);
  void on(const event::LinkCostTold& e) { state_.spending.costs.told(e.link, e); }
  void on(const event::SegmentAdded& e) { state_.timeline.add(e.segment, e.tracks); }
  void on(const event::SegmentPublished& e) { state_.timeline.publish(e.segment, state_.now); }
  void on(const event::WindowMoved& e) { state_.timeline.move_window(e.first, state_.now, state_.actions); }
  void on(const event::PresentationEnded&) { state_.timeline.end(); }
  void on(const event::ResponseBegan& e);
  void on(const event::BytesReceived& e) { take_in(e); }
  void on(const event::RequestDone& e);
  void on(const event::RequestFailed& e);
  void on(const event::RoundTripMeasured& e);
  void on(const event::DeadlineReached&) {}  // the stages look at the time themselves
  void on(const event::StopRequested& e) { finish(false, e.why); }
  void on(const event::SeekRequested& e);
  void on(const event::QualityChosen& e) { state_.qualities.choose_by_user(e.quality, table()); }
  void on(const event::PlayoutReported& e);

  void tell_stall();
  void deliver_complete_segments();
  void schedule();
  void renew_connections();
  void finish_if_over();
  void finish(bool complete, std::string reason, bool used_up = false);

  SessionState state_;
  Scheduler scheduler_;
  CostedScheduler costed_scheduler_{scheduler_};
  NeededLinks needed_links_;
  FailedRequests failed_requests_;
  bool look_again_ = false;     // at outstanding ranges, even without an event
  bool delivery_told_ = false;  // that all is delivered
  bool finished_ = false;
};

}  // namespace tributary
