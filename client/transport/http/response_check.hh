#pragma once

#include <optional>
#include <string>
#include <variant>

#include "transport/http/response_parser.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// The reason why the body of a response must not be given out.
struct Rejection {
  FailureReason reason{};
  std::string detail;
  /// The connection must be closed: the bytes that follow cannot be trusted, or are too many to read past.
  bool close_connection = false;
  std::optional<Duration> retry_after{};  // the pause that the origin asks for
  std::string location{};                 // of a redirection
  bool beyond_end = false;                // RequestFailed::beyond_end
};

/// The body is coded, for example by gzip.
bool has_coding(const ResponseHead& head);

/// A success that brings a part of the object: status 206, or another one with a Content-Range and length of a part.
bool brings_range(const ResponseHead& head);
/// A success that brings all of the object: status 200, or another one with a body, without a Content-Range of a part.
bool brings_whole(const ResponseHead& head);

/// Nothing if the transfer has no coding but chunks. No other coding of the transfer can be read.
std::optional<Rejection> check_transfer(const ResponseHead& head);

/// Where nobody knows the size of the file, nothing tells its bytes from a coded form of them (RFC 9110 section 8.4).
/// Nothing: they are not coded.
std::optional<Rejection> check_unasked_coding(const ResponseHead& head);

/// Decides from its head whether a final response (status 200 and above) answers the request. Returns the bytes of the
/// file that it brings: the requested ones, or fewer from the same start (RFC 9110 section 15.3.7 allows that). To an
/// open request these are none if the file ends before the range.
std::variant<ByteRange, Rejection> check_response(const RangeRequest& request, const ResponseHead& head);

/// Decides whether a success that answers a request without a range brings all of the object. A 206 does so if it names
/// no missing bytes: without Content-Range, or from the first byte with an unknown total. Returns the size of the
/// object, if stated.
std::variant<std::optional<DataSize>, Rejection> check_unranged(const ResponseHead& head);

/// The size of the whole file, if the head of a good answer states it.
std::optional<DataSize> stated_size(const ResponseHead& head);

/// The rejection of a body without a length if the origin has not announced the end of an encrypted connection.
Rejection cut_off();

/// The meaning of a final status that is no success.
FailureReason refusal_reason(long status);

}  // namespace tributary::transport
