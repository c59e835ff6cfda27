#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "units/byte_range.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/round_trip.hh"

namespace tributary::transport {

/// One range of one file at the origin.
struct RangeRequest {
  RequestId id{};
  std::string target;  // origin-form (RFC 9112 section 3.2.1): path and query, percent-encoded
  ByteRange range;
  std::optional<DataSize> file_size;  // if known: an answer that states another one is kEntityChanged
  bool stands_alone = false;          // no other bytes are put together with these: they may be of another version
  bool version_chosen =
      false;            // all of the file must be of the known version: an answer of another one is kEntityChanged
  std::string place{};  // where it is asked for instead, if it is elsewhere than its target (redirected_transport.hh)

  const std::string& path() const { return place.empty() ? target : place; }
};

/// The first byte of the response's head arrived, and the status is the one wanted.
struct ResponseBegan {
  RequestId id{};
};
/// Body bytes, in order and without gaps within a request. They are borrowed until the next call of the
/// transport.
struct BodyReceived {
  RequestId id{};
  DataSize offset;  // within the file
  std::span<const std::byte> bytes;
};
/// All bytes of the range have been given out. The last event of its request.
struct RequestDone {
  RequestId id{};
};
/// No further byte will come. What was given out before stays valid. The last event of its request.
struct RequestFailed {
  RequestId id{};
  FailureReason reason{};
  std::string detail;                     // for people: "503 Service Unavailable", "certificate has expired"
  std::optional<Duration> retry_after{};  // the origin asks not to be asked for so long
  std::string location{};                 // where the origin says it is instead; empty if it does not
};
using Event = std::variant<ResponseBegan, BodyReceived, RequestDone, RequestFailed>;

/// Fetches byte ranges from one origin over one link, on one persistent connection, first asked first
/// answered; by HTTP/2 what is within its window may come in another order. Decides nothing about which range goes where. Connects when there is something to fetch,
/// reconnects when the origin has closed (keep-alive limit, idle time-out) without telling anyone as long as
/// no unanswered request is lost twice.
///
/// Every submitted request gets exactly one RequestDone or RequestFailed. Events are pulled, so no callback
/// re-enters. Requests that a connection does not take yet (no 206 seen on it so far) wait inside; they count
/// as outstanding.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;

  virtual void submit(const RangeRequest& request, TimePoint now) = 0;
  /// Closes the connection. Every outstanding request fails with the reason; requests may be submitted
  /// afterwards.
  virtual void close(FailureReason reason, TimePoint now) = 0;

  /// What is outstanding is not wanted any more: it fails with kAbandoned. A connection on which something was asked for is
  /// closed, where an answer cannot be called off (by HTTP/2 it can); one that is still being made, or has nothing to answer, stays.
  virtual void abandon(TimePoint now) = 0;

  /// Does what can be done now without waiting. Call when a deadline has passed or the world has seen
  /// activity, and take the events then: nothing more is read before they are taken.
  virtual void advance(TimePoint now) = 0;
  /// In order of occurrence; nothing when there is none.
  virtual std::optional<Event> next_event() = 0;
  /// When advance() must be called at the latest, which may be at once; nothing while only the network can
  /// make a difference.
  virtual std::optional<TimePoint> next_deadline() const = 0;

  /// Of the connection, once known.
  virtual std::optional<RoundTrip> round_trip() const = 0;
};

}  // namespace tributary::transport
