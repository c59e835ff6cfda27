#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http_transport.hh"
#include "transport/sockets/byte_stream.hh"

namespace tributary::transport {

/// The conversation on one connection: turns requests into bytes, and received bytes into events. Owns no socket and
/// reads no clock: it is told bytes, time and the end of the connection.
///
/// Every submitted request gets exactly one RequestDone or RequestFailed, or is handed back by take_unanswered().
class HttpSession {
 public:
  virtual ~HttpSession() = default;

  /// Whether a request may be submitted now. Until the connection has given its first good 206, it takes one request at
  /// a time: an origin that ignores ranges would answer each with a whole file.
  virtual bool accepts_request() const = 0;
  virtual void submit(RangeRequest request) = 0;

  /// Bytes to send, borrowed until the next call. output_sent() tells how many of them were sent; output() may then
  /// have more.
  virtual std::string_view output() = 0;
  virtual void output_sent(std::size_t size) = 0;

  /// Events borrow the bytes, which must live until the events have been taken. Returns whether the bytes are a sign of
  /// life, which shows that the origin works at its answers.
  virtual bool on_bytes(std::span<const std::byte> bytes, TimePoint now) = 0;
  /// The origin ended the connection: anything but kOpen.
  virtual void on_end(StreamStatus how) = 0;
  virtual void on_round_trip(Duration round_trip) = 0;

  /// ask_for_life() asks an origin that has been silent for a sign of life. can_ask_for_life(): the protocol can, and
  /// no such question is open.
  virtual bool can_ask_for_life() const = 0;
  virtual void ask_for_life() = 0;
  /// Calls off all outstanding requests, which fail with kAbandoned. False, without any change, if the connection
  /// cannot do that now.
  virtual bool abandon(TimePoint now) = 0;
  /// Fails all outstanding requests and ends the session.
  virtual void fail_all(FailureReason reason, const std::string& detail) = 0;

  virtual std::optional<Event> next_event() = 0;

  /// The session has ended because an answer belonged to a later request: no answer can be trusted then.
  virtual bool out_of_order() const { return false; }
  /// An answer has begun, and has not ended.
  virtual bool within_answer() const = 0;
  /// An answer is outstanding.
  virtual bool busy() const = 0;
  /// The origin has announced that it closes after its present answers. No request is accepted any more.
  virtual bool draining() const = 0;
  /// The connection gives nothing more, and should be closed.
  virtual bool ended() const = 0;
  /// responses(): the number of answered requests. requests(): those, and the ones still to be answered.
  virtual int responses() const = 0;
  virtual int requests() const = 0;
  /// Hands back, in order, the requests that this connection will not answer, through no fault of the requests.
  virtual std::vector<RangeRequest> take_unanswered() = 0;
};

}  // namespace tributary::transport
