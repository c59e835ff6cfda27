#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tributary {

/// A moment of the calendar, for what several machines have to agree about. Sessions use SessionClock.
using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// RFC 3339 in UTC: "2026-01-02T03:04:05.678Z".
std::string utc_text(UtcTime time);
/// The same back, with or without a fraction of a second; nothing for anything else.
std::optional<UtcTime> utc_from(std::string_view text);

}  // namespace tributary
