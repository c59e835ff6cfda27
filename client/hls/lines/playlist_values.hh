#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::hls {

/// Pixels, or tiles in either direction; each from 1 to kMaxExtent.
struct Extent {
  int width = 0, height = 0;

  bool operator==(const Extent&) const = default;
};

using Block = std::array<std::byte, 16>;  // of AES

/// A range as a tag states it. Without an offset it begins where another one ended.
struct StatedRange {
  DataSize length;
  std::optional<DataSize> offset;
};

// The values of tags and attributes (RFC 8216 section 4.2). Each function gives nothing for any other text, and for
// values beyond the bounds of playlist_limits.hh.

std::optional<std::uint64_t> whole_number(std::string_view text);
/// Seconds as a decimal number, "6.006", to the nearest nanosecond. The error of one segment is half a nanosecond at
/// most, and none with up to nine decimals: 200,000 segments drift by 0.1 ms at most.
std::optional<Duration> seconds(std::string_view text);
/// The same with a sign.
std::optional<Duration> signed_seconds(std::string_view text);
/// Not negative.
std::optional<double> decimal_number(std::string_view text);
/// Bit/s. Decimals count for nothing.
std::optional<DataRate> bits_per_second(std::string_view text);
/// "1280x720".
std::optional<Extent> extent(std::string_view text);
/// "length" or "length@offset", in bytes. A range has at least one byte.
std::optional<StatedRange> stated_range(std::string_view text);
/// "0x" and at most 32 digits, the number's lowest byte last. Some packagers leave "0x" out.
std::optional<Block> block(std::string_view text);
/// ISO 8601: "2026-01-02T03:04:05.678+01:00". The zone may be Z, +01, +0100 or missing, which is read as UTC.
std::optional<UtcTime> calendar_time(std::string_view text);

}  // namespace tributary::hls
