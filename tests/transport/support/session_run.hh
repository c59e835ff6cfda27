#pragma once

#include <span>
#include <string>
#include <string_view>

#include "event_log.hh"
#include "transport/http/http1_session.hh"

namespace tributary::transport {

/// A session on its own, fed by hand.
class SessionRun {
 public:
  /// Submits as soon as the session accepts it, as its owner would.
  void ask(const RangeRequest& request);
  /// The origin sends these bytes. Gives everything the session had to say.
  void receive(std::string_view bytes);
  /// The same, in pieces of this many bytes.
  void receive_in_pieces(std::string_view bytes, std::size_t piece);
  void end(StreamStatus how);

  /// Takes what the session wants to send.
  std::string sent();
  std::vector<std::string> lines() const { return log_.lines(); }
  const EventLog& log() const { return log_; }
  Http1Session& session() { return session_; }

 private:
  void submit_waiting();
  void collect();

  FileVersions versions_;
  Http1Session session_{"origin.example", versions_, {}};
  std::vector<RangeRequest> waiting_;
  EventLog log_;
};

}  // namespace tributary::transport
