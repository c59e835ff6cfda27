#pragma once

#include <optional>
#include <string>
#include <variant>

#include "transport/http/response_parser.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// Why the body of a response must not be given out.
struct Rejection {
  FailureReason reason{};
  std::string detail;
  /// What follows cannot be trusted, or is too much to read past: the connection must be closed.
  bool close_connection = false;
  std::optional<Duration> retry_after{};  // the origin asks not to be asked for so long
  std::string location{};                 // of a redirection
};

/// The body is in another form than the object's own, such as gzip.
bool has_coding(const ResponseHead& head);

/// A success that brings a part of the object: status 206, or another one that says so by Content-Range and length.
bool brings_range(const ResponseHead& head);
/// A success that brings all of the object: status 200, or another one with a body that does not say otherwise.
bool brings_whole(const ResponseHead& head);

/// Nothing if the body comes as it is, but for chunks. No other coding of the transfer can be read.
std::optional<Rejection> check_transfer(const ResponseHead& head);

/// Decides from its head whether a final response (status 200 and above) answers the request, and with which
/// bytes of the file: those asked for, or fewer from the same start (RFC 9110 section 15.3.7 allows that).
std::variant<ByteRange, Rejection> check_response(const RangeRequest& request, const ResponseHead& head);

/// Decides whether a success that answers a request without a range brings all of the object. A 206 does that if it does not say
/// what is missing: without Content-Range, or from the first byte with a total that is unknown. The size of the object, if it is told.
std::variant<std::optional<DataSize>, Rejection> check_unranged(const ResponseHead& head);

/// Of the whole file, if the head of a good answer tells.
std::optional<DataSize> stated_size(const ResponseHead& head);

/// What a final status other than a success means.
FailureReason refusal_reason(long status);

}  // namespace tributary::transport
