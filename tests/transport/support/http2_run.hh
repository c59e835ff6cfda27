#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "event_log.hh"
#include "http2_origin.hh"
#include "transport/http/http2_session.hh"

namespace tributary::transport {

/// A session and an origin that hear each other, when the test lets them.
class Http2Run {
 public:
  explicit Http2Run(Http2Session::Limits limits = {}, Http2Origin::Options origin_options = {})
      : origin{origin_options}, session_{"origin.example", versions_, limits} {}

  /// Submits as soon as the session accepts it, as its owner would.
  void ask(const RangeRequest& request);
  /// Lets both sides talk until neither has anything to say. With `answers`, the origin answers every request.
  void talk(bool answers = true);
  /// The session's bytes go to the origin.
  void to_origin();
  /// These bytes come to the session. Whether they were a sign of life.
  bool receive(std::string_view bytes);
  void end(StreamStatus how);
  void collect();

  /// A session that has seen its first good answer, to request 99.
  void prove();
  std::int32_t stream_of(std::size_t request) const { return origin.requests().at(request).stream; }

  std::vector<std::string> lines() const { return log_.lines(); }
  const EventLog& log() const { return log_; }
  Http2Session& session() { return session_; }
  std::vector<RequestId> handed_back();

  Http2Origin origin;
  TimePoint now{};

 private:
  void submit_waiting();

  FileVersions versions_;
  Http2Session session_;
  std::vector<RangeRequest> waiting_;
  EventLog log_;
};

}  // namespace tributary::transport
