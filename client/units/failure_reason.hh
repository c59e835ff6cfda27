#pragma once

#include <optional>
#include <string_view>

namespace tributary {

/// Why a request ended without all its bytes, by what was seen. The retry policy decides what follows.
enum class FailureReason {
  // before there was a connection
  kResolve,          ///< the name of the origin did not resolve
  kNoRoute,          ///< the link has no route to the origin
  kInterface,        ///< the socket could not be bound to the link (or the binding could not be proved)
  kConnectTimeout,   ///< no answer to the connection attempt
  kRefused,          ///< the origin refused the connection
  kTls,              ///< the TLS handshake failed
  kTlsVerification,  ///< the certificate is not valid for the origin
  // the connection was lost
  kClosedUnanswered,  ///< the origin closed before the first byte of the response (keep-alive limit, idle
                      ///< race)
  kClosedMidBody,     ///< the origin closed within the response
  kReset,             ///< the connection was reset
  kStalled,           ///< no byte for longer than the link's progress limit
  kLinkDown,          ///< the link went away
  // the answer was wrong
  kProtocol,        ///< not HTTP/1.1, or out of step
  kRangeIgnored,    ///< 200 to a range request
  kRangeMismatch,   ///< another Content-Range than that of the request, or a shorter body
  kEncoding,        ///< multipart, or a content coding that was not asked for
  kEntityChanged,   ///< total length or ETag are not those that are known from elsewhere
  kVersionsDiffer,  ///< total length or ETag differ from those of an earlier answer, over this link or another one
  // the origin said no
  kServerBusy,    ///< 408, 429 or 5xx
  kNotFound,      ///< 404 or 410: the file is not there
  kUnauthorized,  ///< 401, 403, 407 or 451: not for this client
  kNoSuchRange,   ///< 416: the file has no such bytes
  kBadRequest,    ///< any other 4xx, such as 400, 413 or 431: not when it is asked for like this
  kRedirected,    ///< 3xx
  // we did it
  kNotAllowed,  ///< the address is one of this machine or its network, and the title comes from the internet
  kAbandoned,   ///< the bytes are not wanted any more
};

/// The origin can be talked to, and does not give out what was asked for. Another link brings no other answer, unless it
/// leads to another server.
bool is_refusal(FailureReason reason);

/// Lower case words joined by hyphens: "closed-mid-body".
std::string_view to_string(FailureReason reason);
std::optional<FailureReason> failure_reason_from(std::string_view text);

}  // namespace tributary
