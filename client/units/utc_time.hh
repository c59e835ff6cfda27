#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tributary {

/// A moment of the calendar, for times on which several machines have to agree. Sessions use SessionClock.
using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// RFC 3339 in UTC: "2026-01-02T03:04:05.678Z".
std::string utc_text(UtcTime time);
/// Reads it back, with or without a fraction of a second; nothing for any other text.
std::optional<UtcTime> utc_from(std::string_view text);

}  // namespace tributary
