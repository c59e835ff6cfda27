#pragma once

#include <deque>
#include <memory>

#include "simulation/bottleneck.hh"
#include "simulation/queue.hh"
#include "simulation/simulated_connection.hh"
#include "transport/http_transport.hh"

namespace tributary {

/// A transport over a modelled link to a modelled server, which pipelines and answers ranges. Bodies have the right
/// size and no content; the body of an open request ends where its file does. The transport keeps two rules of the real
/// one: no pipelining before the first answer of a connection, and a connection without progress is closed.
class SimulatedTransport final : public transport::HttpTransport {
 public:
  /// Both must outlive the transport. The scenario is the bottleneck's, too.
  SimulatedTransport(const LinkScenario& scenario, Bottleneck& bottleneck);

  void submit(const transport::RangeRequest& request, TimePoint now) override;
  void close(FailureReason reason, TimePoint now) override;
  void abandon(TimePoint now) override {
    if (!pending_.empty()) close(FailureReason::kAbandoned, now);
  }
  void advance(TimePoint now) override;
  std::optional<transport::Event> next_event() override;
  /// The events that next_event() has not taken yet.
  Queue<transport::Event>& events() { return events_; }
  std::optional<TimePoint> next_deadline() const override;
  /// next_deadline() without the optional; TimePoint::max(): never. `alone`: nobody else sends through the bottleneck.
  /// Else the server's work counts as well, so that packets of all enter it in order.
  TimePoint due(bool alone) const;
  std::optional<RoundTrip> round_trip() const override;

 private:
  struct Pending {
    transport::RangeRequest request;
    bool asked = false;
    DataSize head_left;
    DataSize body_given;
  };

  void ask_what_may_be_asked(TimePoint now);
  void take_in(DataSize received, TimePoint now);
  Duration progress_limit() const;

  const LinkScenario& scenario_;
  Bottleneck& bottleneck_;
  std::unique_ptr<SimulatedConnection> connection_;
  bool proven_ = false;  // the connection has answered a range request
  std::deque<Pending> pending_;
  Queue<transport::Event> events_;
  TimePoint last_progress_;
};

}  // namespace tributary
