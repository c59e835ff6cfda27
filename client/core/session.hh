#pragma once

#include <optional>

#include "core/event.hh"
#include "core/requests/failed_requests.hh"
#include "core/scheduling/request_round.hh"
#include "core/session_end.hh"
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
  bool finished() const { return end_.reached(); }

  const SegmentTable& table() const { return state_.timeline.table(); }
  const SessionOptions& options() const { return state_.options; }

  // State of this moment. Worlds and observers hear of an event before the session does: a request of which the event
  // tells is then still outstanding.
  const PlayoutBuffer& playout() const { return state_.playout.buffer(); }
  const LinkTable& links() const { return state_.links; }
  /// Live: how far what plays is behind the edge, and so behind its capture, without the time for encoding and publishing.
  std::optional<Duration> latency() const { return LatencyControl::latency(state_); }
  const OutstandingRequests& outstanding() const { return state_.book.outstanding(); }

 private:
  /// Takes in bytes while the scheduler is quiet. True if something may follow from them; mostly it does not.
  bool take_in_bytes(const event::BytesReceived& bytes, TimePoint now);
  void dispatch(const Event& event);

  SessionState state_;
  RequestRound round_;
  FailedRequests failed_requests_;
  SessionEnd end_;
};

}  // namespace tributary
