#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/connections/byte_stream.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// What is said on one connection: turns requests into bytes, and the bytes that come back into events. Owns no socket and
/// reads no clock: bytes, time and the end of the connection are told to it.
///
/// Every submitted request gets exactly one RequestDone or RequestFailed, or is handed back by take_unanswered().
class HttpSession {
 public:
  virtual ~HttpSession() = default;

  /// Whether a request may be submitted now. Before the connection has given its first good 206 one at a
  /// time: an origin that ignores ranges would answer each of them with a whole file.
  virtual bool accepts_request() const = 0;
  virtual void submit(RangeRequest request) = 0;

  /// Bytes to be sent, borrowed until the next call, and how many of them have been. There may be more when all have been.
  virtual std::string_view output() = 0;
  virtual void output_sent(std::size_t size) = 0;

  /// The bytes must stay where they are until the events have been taken. Whether they are a sign of life: that the origin
  /// works at what it owes.
  virtual bool on_bytes(std::span<const std::byte> bytes, TimePoint now) = 0;
  /// The origin ended the connection: kClosed or kReset.
  virtual void on_end(StreamStatus how) = 0;
  virtual void on_round_trip(Duration round_trip) = 0;

  /// The origin has been silent for a while: asks for a sign of life, if that is possible and has not been done yet.
  virtual bool can_ask_for_life() const = 0;
  virtual void ask_for_life() = 0;
  /// Calls off everything outstanding, which fails with kAbandoned. False, and nothing is changed, if that cannot be done
  /// on this connection now.
  virtual bool abandon(TimePoint now) = 0;
  /// Fails everything outstanding and ends the session.
  virtual void fail_all(FailureReason reason, const std::string& detail) = 0;

  virtual std::optional<Event> next_event() = 0;

  /// An answer came that belongs to a later request, so that nothing is known of any of them: the connection has ended.
  virtual bool out_of_order() const { return false; }
  /// An answer has begun and not ended.
  virtual bool within_answer() const = 0;
  /// Something is awaited from the origin.
  virtual bool busy() const = 0;
  /// The origin has announced that it closes behind what it is giving; no request is accepted any more.
  virtual bool draining() const = 0;
  /// Nothing more can be got from the connection; it should be closed.
  virtual bool ended() const = 0;
  /// Requests that were answered so far, and with them those still to be answered.
  virtual int responses() const = 0;
  virtual int requests() const = 0;
  /// The requests this connection will not answer, in order, for no fault of theirs. They are no longer this session's.
  virtual std::vector<RangeRequest> take_unanswered() = 0;
};

}  // namespace tributary::transport
