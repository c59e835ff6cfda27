#pragma once

#include <optional>
#include <string>

#include "units/session_clock.hh"

namespace tributary::transport {

/// How long an origin asks to be left alone: a Retry-After field (RFC 9110 section 10.2.3), in seconds or as a date. A date is
/// held against the Date of the same response: both are by the origin's clock, ours may be wrong. Nothing if the field
/// is absent, no such value, or a date and nobody knows what the origin's clock says.
std::optional<Duration> retry_after(const std::string& value, const std::string& date);

}  // namespace tributary::transport
