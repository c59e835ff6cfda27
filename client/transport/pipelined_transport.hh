#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "transport/http/file_versions.hh"
#include "transport/http/http1_session.hh"
#include "transport/http/http2_session.hh"
#include "transport/http/keep_alive_limit.hh"
#include "transport/http_transport.hh"
#include "transport/origin_pace.hh"
#include "transport/sockets/byte_stream.hh"
#include "transport/sockets/progress_timer.hh"

namespace tributary::transport {

/// Many requests at a time on one connection, by HTTP/1.1 or, if the TLS handshake agreed on it (ALPN), by HTTP/2. A
/// connection that ends is replaced. If the origin announces that it will close, a successor is connected while the
/// last responses arrive, and the unanswered requests move there.
///
/// If the system knows that the other end of a connection lives, the transport waits for a slow origin as long as that
/// origin usually takes. An origin that loses or confuses pipelined requests gets one at a time (origin_pace.hh).
///
/// A failure to connect, and silence beyond the progress limits, fail all outstanding requests. The end of a connection
/// within responses fails those alone. Requests behind them are asked again; if two connections in a row end without
/// any response, all fail with kClosedUnanswered.
class PipelinedTransport final : public HttpTransport {
 public:
  struct Options {
    Http1Session::Limits http1{};
    Http2Session::Limits http2{};
    ProgressLimits progress{};
    FileVersions versions{};  // all links to one origin share this one, and the next
    OriginPace pace{};
    /// The value of the Cookie field of a request with this path; empty: none.
    std::function<std::string(const std::string& path)> cookies{};
    RequestFields fields{};  // of all requests
  };
  /// Begins a new connection to the origin.
  using Connect = std::function<std::unique_ptr<ByteStream>()>;

  /// `authority`: the value of the Host field.
  PipelinedTransport(Connect connect, std::string authority, Options options);

  void submit(const RangeRequest& request, TimePoint now) override;
  void close(FailureReason reason, TimePoint now) override;
  void abandon(TimePoint now) override;
  /// Does nothing while there are events to take: their bytes lie in the buffer for reading.
  void advance(TimePoint now) override;
  std::optional<Event> next_event() override;
  std::optional<TimePoint> next_deadline() const override;
  std::optional<RoundTrip> round_trip() const override { return round_trip_; }
  std::optional<RoundTrip> take_round_trip() override;

 private:
  /// A connection and its conversation.
  struct Channel {
    std::unique_ptr<ByteStream> stream;
    TimePoint made;
    OriginPace::Asking asking{};
    std::unique_ptr<HttpSession> session;  // once connected; the same holds for the members below
    std::optional<ProgressTimer> progress;
    std::optional<TimePoint> look_at = {};  // the origin counts as slow, and is checked again at this time

    bool busy() const { return session && session->busy(); }
  };
  std::unique_ptr<Channel> new_channel() const {
    return std::make_unique<Channel>(Channel{connect_(), now_, options_.pace.asking(), nullptr, {}});
  }
  std::unique_ptr<HttpSession> new_session(const ByteStream& stream);

  /// Hands waiting requests to the channels that take them, and opens missing channels.
  void dispatch(TimePoint now);
  void fill(Channel& channel, TimePoint now);
  bool bears_another_request(const HttpSession& session) const;
  /// The current connection takes no further request.
  bool current_is_full() const;
  /// One look at the current channel. True if it was replaced, so that another look may show more.
  bool attend(TimePoint now);
  void read(TimePoint now);
  void give_up_if_silent(TimePoint now);
  OriginPace::Silence silence_of_origin(TimePoint now) const;
  bool other_end_lives() const;
  void retire_current(TimePoint now);
  void requeue(std::vector<RangeRequest> requests);
  /// The origin owes an answer, or requests wait until they may be sent.
  bool owes() const { return current_->busy() || !waiting_.empty(); }
  void collect_events(HttpSession& session);
  std::optional<TimePoint> deadline_of_progress() const;
  void sample_round_trip(TimePoint now);
  std::optional<Duration> smoothed_round_trip() const {
    return round_trip_ ? std::optional{round_trip_->smoothed} : std::nullopt;
  }
  void fail_outstanding(FailureReason reason, const std::string& detail);
  void fail_waiting(FailureReason reason, const std::string& detail);

  Connect connect_;
  std::string authority_;
  Options options_;
  KeepAliveLimit limit_;
  std::vector<std::byte> buffer_;
  std::deque<RangeRequest> waiting_;  // not submitted to a connection
  std::unique_ptr<Channel> current_;
  std::unique_ptr<Channel> successor_;  // while current_ gives its last responses; not read until current_ has ended
  std::deque<Event> events_;
  int unanswered_ends_ = 0;  // connections in a row that ended without a response
  bool look_again_ = false;  // there may be more to read at once
  TimePoint now_;
  std::optional<RoundTrip> round_trip_, taken_round_trip_;
  TimePoint round_trip_sampled_;
};

}  // namespace tributary::transport
