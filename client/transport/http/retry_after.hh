#pragma once

#include <optional>
#include <string>

#include "units/session_clock.hh"

namespace tributary::transport {

/// The pause that an origin asks for: a Retry-After field (RFC 9110 section 10.2.3), in seconds or as a date. A date is
/// compared with the Date of the same response, because both are by the origin's clock; ours may be wrong. Nothing if
/// the field is absent or wrong, or if it is a date and the response has no Date.
std::optional<Duration> retry_after(const std::string& value, const std::string& date);

}  // namespace tributary::transport
