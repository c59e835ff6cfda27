#pragma once

#include <map>
#include <string>
#include <vector>

#include "transport/http_transport.hh"

namespace tributary::transport {

/// Takes the events of a transport or session, fails the test if they break the contract (bytes in order and
/// without gaps within their request, exactly one last event), and keeps what they brought.
class EventLog {
 public:
  void submitted(const RangeRequest& request);
  void add(const Event& event);

  /// What was given out for a request, and whether anything can still come.
  const std::string& bytes(RequestId id) const { return requests_.at(id).bytes; }
  bool open(RequestId id) const { return !requests_.at(id).ended; }
  int open_requests() const;
  /// In order of occurrence, body pieces joined: "began 1", "bytes 1: 100", "done 1", "failed 2:
  /// range-ignored".
  std::vector<std::string> lines() const;

  const std::vector<RequestId>& done() const { return done_; }
  const std::vector<RequestFailed>& failed() const { return failed_; }

 private:
  struct Request {
    ByteRange range;
    std::string bytes;
    bool open = false;  // its file may end before the range does, or behind
    bool began = false;
    bool ended = false;
  };
  struct Line {
    std::string what;
    RequestId id;
    std::size_t size = 0;  // of "bytes"
    std::string reason;    // of "failed"
  };

  Request& alive(RequestId id, const std::string& what);
  void end(RequestId id, const std::string& what);

  std::map<RequestId, Request> requests_;
  std::vector<Line> lines_;
  std::vector<RequestId> done_;
  std::vector<RequestFailed> failed_;
};

}  // namespace tributary::transport
