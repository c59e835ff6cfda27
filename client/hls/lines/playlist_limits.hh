#pragma once

#include <cstddef>
#include <cstdint>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::hls {

// What a playlist may ask of memory and time. A text beyond one of these bounds is refused with its place.

/// Bytes of a whole playlist: 200,000 segments with addresses of 80 bytes.
inline constexpr std::size_t kMaxPlaylistSize = 16 * 1024 * 1024;
/// Lines, blank ones included.
inline constexpr std::size_t kMaxLines = 2'000'000;
/// Bytes of one line, and of one attribute or address after its variables are replaced. Keys may come as data: URIs.
inline constexpr std::size_t kMaxLineLength = 256 * 1024;
/// Bytes that variables put into all lines of a playlist together.
inline constexpr std::size_t kMaxSubstitutedSize = 16 * 1024 * 1024;
inline constexpr std::size_t kMaxVariables = 1'000;
inline constexpr std::size_t kMaxSegments = 200'000;
/// A key for each ten segments.
inline constexpr std::size_t kMaxKeys = 20'000;
inline constexpr std::size_t kMaxInitSections = 20'000;
/// Keys of different KEYFORMATs that are in force at once.
inline constexpr std::size_t kMaxKeysInForce = 32;
/// Variants of all three kinds together.
inline constexpr std::size_t kMaxVariants = 1'000;
inline constexpr std::size_t kMaxRenditions = 1'000;
inline constexpr std::size_t kMaxSessionKeys = 1'000;
/// Of pictures and tile layouts, in either direction.
inline constexpr std::uint64_t kMaxExtent = 65'535;
/// Of one segment, and of every other time that a tag states.
inline constexpr Duration kMaxDuration = std::chrono::hours{24};
/// Of all segments together. Their sum then fits a Duration.
inline constexpr Duration kMaxTotalDuration = std::chrono::hours{24 * 3660};
/// Of sequence numbers, sizes, offsets and the ends of ranges. The sum of two of them fits 64 bits with a sign.
inline constexpr std::uint64_t kMaxNumber = (std::uint64_t{1} << 62) - 1;
inline constexpr DataSize kMaxFileSize{static_cast<std::int64_t>(kMaxNumber)};

}  // namespace tributary::hls
