#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/byte_stream.hh"
#include "transport/entity_tags.hh"
#include "transport/http_transport.hh"
#include "transport/response_check.hh"
#include "transport/response_parser.hh"

namespace tributary::transport {

/// The HTTP/1.1 side of one connection: turns requests into bytes, and the bytes that come back into events,
/// first asked first answered. Owns no socket and knows no time: bytes and the end of the connection are told
/// to it.
///
/// Every submitted request gets exactly one RequestDone or RequestFailed, or is handed back by
/// take_unanswered().
class Http1Session {
 public:
  struct Limits {
    DataSize head{32 * 1024};
    DataSize discarded_body{64 * 1024};  // the body of an error is read past up to here, beyond we close
  };

  /// `authority` is the value of the Host field. The tags are shared by the connections of one transport.
  Http1Session(std::string authority, EntityTags& tags, Limits limits);

  /// Whether a request may be submitted now. Before the connection has given its first good 206 one at a
  /// time: an origin that ignores ranges would answer each of them with a whole file.
  bool accepts_request() const;
  void submit(RangeRequest request);

  /// Bytes to be sent, and how many of them have been.
  std::string_view output() const { return std::string_view{output_}.substr(output_sent_); }
  void output_sent(std::size_t size);

  /// The bytes must stay where they are until the events have been taken.
  void on_bytes(std::span<const std::byte> bytes);
  /// The origin ended the connection: kClosed or kReset.
  void on_end(StreamStatus how);
  /// Fails everything outstanding and ends the session.
  void fail_all(FailureReason reason, const std::string& detail);

  std::optional<Event> next_event();

  /// Something is awaited from the origin.
  bool busy() const { return answer_ || !asked_.empty(); }
  /// The origin has announced that it closes behind the response it is giving; no request is accepted any
  /// more.
  bool draining() const { return draining_; }
  /// Nothing more can be got from the connection; it should be closed.
  bool ended() const { return ended_; }
  /// Final responses that have begun so far, and with them the requests still to be answered.
  int responses() const { return responses_; }
  int requests() const { return responses_ + static_cast<int>(asked_.size()); }
  /// The requests no response has begun for, in order. They are no longer this session's.
  std::vector<RangeRequest> take_unanswered();

 private:
  struct Answer {
    RangeRequest request;
    ByteRange body;  // what the response carries
    DataSize next;   // first byte not yet given out
    bool rejected = false;
    DataSize discarded;
  };

  void on_head(const ResponseHead& head);
  void on_body(std::span<const std::byte> bytes);
  void on_response_end();
  void on_garbage();
  /// The answer is over; done if it was all that was asked for, else failed.
  void end_answer(FailureReason reason, std::string detail);
  void reject(const Rejection& rejection, const ResponseHead& head);
  void fail(const RangeRequest& request, FailureReason reason, std::string detail);

  std::string authority_;
  EntityTags& tags_;
  Limits limits_;
  ResponseParser parser_;
  std::string output_;
  std::size_t output_sent_ = 0;
  std::deque<RangeRequest> asked_;  // no response yet
  std::optional<Answer> answer_;    // the response that is arriving
  std::deque<Event> events_;
  bool ranges_proven_ = false;
  bool draining_ = false;
  bool ended_ = false;
  int responses_ = 0;
};

}  // namespace tributary::transport
