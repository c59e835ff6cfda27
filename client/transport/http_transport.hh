#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "units/byte_range.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/round_trip.hh"

namespace tributary::transport {

/// Names and values of fields, which hold no control characters.
using RequestFields = std::vector<std::pair<std::string, std::string>>;

/// One range of one file at the origin.
struct RangeRequest {
  RequestId id{};
  /// Path and query, percent-encoded (origin-form, RFC 9112 section 3.2.1). RedirectedTransport also takes an absolute
  /// URL, of a file at another origin.
  std::string target;
  ByteRange range;
  std::optional<DataSize> file_size;  // if known; an answer that states another size fails with kEntityChanged
  /// The size of the file is not known: the range may reach beyond its end. The answer may have fewer bytes then, up to
  /// the end, or none (416 with the size). If the request stands alone it is for the whole file, however long that is,
  /// and is made without a range.
  bool open = false;
  bool stands_alone = false;    // these bytes are put together with no others, so any version will do
  bool version_chosen = false;  // the version is fixed: an answer of another one fails with kEntityChanged
  /// Of an open request: the most that the file may have, if that is limited, and the most that an answer may bring of
  /// it, however long it is. What states or brings more fails with kProtocol.
  std::optional<DataSize> largest{};
  DataSize longest{std::int64_t{1} << 31};
  std::string place{};     // the target after a redirection (redirected_transport.hh); empty: `target`
  std::string cookies{};   // the value of the Cookie field; empty: there is none
  RequestFields fields{};  // further ones

  bool whole_file() const { return open && stands_alone; }
  const std::string& path() const { return place.empty() ? target : place; }
};

/// The head of the response arrived, and the response answers the request.
struct ResponseBegan {
  RequestId id{};
  std::optional<DataSize> file_size{};  // of an open request, if the answer states it
};
/// Body bytes, in order and without gaps within a request. Borrowed until the next call of the transport.
struct BodyReceived {
  RequestId id{};
  DataSize offset;  // within the file
  std::span<const std::byte> bytes;
  bool paced = false;  // they came when they were made, or before they were asked for
};
/// All bytes of the range have been given out, up to the end of the file. It is the last event of its request.
struct RequestDone {
  RequestId id{};
};
/// No further byte will come. Bytes that were given out before stay valid. It is the last event of its request.
struct RequestFailed {
  RequestId id{};
  FailureReason reason{};
  std::string detail;                     // for people: "503 Service Unavailable", "certificate has expired"
  std::optional<Duration> retry_after{};  // the pause that the origin asks for
  std::string location{};                 // of a redirection; empty: there is none
  /// Of an open request: the origin says that there is no byte of the range, and not how long the file is (416).
  bool beyond_end = false;
};
using Event = std::variant<ResponseBegan, BodyReceived, RequestDone, RequestFailed>;

/// Fetches byte ranges from one origin over one link, on one persistent connection, in the order of the requests; by
/// HTTP/2, bytes within its window may come in another order. Does not decide which range goes where.
///
/// Connects when there is a request. If the origin has closed (keep-alive limit, idle time-out), reconnects and asks
/// again; if a second connection ends without a response, the requests fail.
///
/// Every submitted request gets exactly one RequestDone or RequestFailed. Events are pulled, so no callback re-enters.
/// Requests that a connection does not take yet (it has given no 206 so far) wait inside, and count as outstanding.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;

  virtual void submit(const RangeRequest& request, TimePoint now) = 0;
  /// Closes the connection. Every outstanding request fails with the reason. Requests may be submitted afterwards.
  virtual void close(FailureReason reason, TimePoint now) = 0;

  /// Fails all outstanding requests with kAbandoned, because they are not wanted any more. A connection that owes
  /// answers is closed, unless it can call them off, as HTTP/2 can. A connection that is still being made, or owes
  /// nothing, stays.
  virtual void abandon(TimePoint now) = 0;

  /// Does all that can be done now without waiting. To be called when a deadline has passed, or when the loop has seen
  /// activity. The caller then takes the events: no more is read before.
  virtual void advance(TimePoint now) = 0;
  /// The next event in order of occurrence; nothing if there is none.
  virtual std::optional<Event> next_event() = 0;
  /// The latest time for the next advance(), which may be now; nothing while only the network can make a difference.
  virtual std::optional<TimePoint> next_deadline() const = 0;

  /// Of the connection; nothing until it is known.
  virtual std::optional<RoundTrip> round_trip() const = 0;
  /// The same, if it has been measured again since it was taken: who only receives measures none.
  virtual std::optional<RoundTrip> take_round_trip() { return round_trip(); }
};

}  // namespace tributary::transport
