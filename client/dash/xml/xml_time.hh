#pragma once

#include <optional>
#include <string_view>

#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::dash {

/// xs:duration, as in "PT1H2M3.5S" and "P1D". A year counts 365 days and a month 30, as players agree; digits beyond
/// nanoseconds count for nothing. Nothing for any other text, for a negative time, and for more than kLongestTime.
std::optional<Duration> duration_from(std::string_view text);

/// xs:dateTime with "Z", an offset as "+02:00", or without: then it is UTC (ISO/IEC 23009-1 clause 5.3.1.2). Nothing
/// for any other text, and for years outside of 1900 to 2100: their differences fit a Duration.
std::optional<UtcTime> date_time_from(std::string_view text);

}  // namespace tributary::dash
