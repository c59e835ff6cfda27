#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "units/session_clock.hh"

/// What an MPD may state at the most. A manifest beyond one of these bounds is refused at its place, so that reading
/// and expanding it takes bounded time and memory. Elements of any depth are harmless: the reader descends only into
/// elements that it knows.
namespace tributary::dash {

// Of the text.
constexpr std::size_t kMostText = std::size_t{16} << 20;  // bytes
constexpr std::size_t kMostTags = 2'000'000;              // "<"; each element takes some 64 bytes of memory
constexpr std::size_t kLongestUrl = 8'192;                // bytes, also after substitution
constexpr std::size_t kLongestName = 1'024;               // bytes of ids, codecs, schemes

// Of elements.
constexpr std::size_t kMostPeriods = 1'000;
constexpr std::size_t kMostSets = 1'000;                      // in one period
constexpr std::size_t kMostRepresentations = 20'000;          // in the whole MPD
constexpr std::size_t kMostInherited = std::size_t{1} << 28;  // bytes of all representations, with what they inherit
constexpr std::size_t kMostProtections = 32;                  // of one set or representation
constexpr std::size_t kMostLeftOut = 1'000;                   // reasons that are kept
constexpr std::size_t kMostAlternatives = 16;                 // addresses of one file

// Of segments.
constexpr std::int64_t kMostSegments = 200'000;              // of one representation of one period
constexpr std::size_t kMostUriBytes = std::size_t{1} << 28;  // URIs of all of these together

/// How far behind live a service may want its players to be.
constexpr std::chrono::milliseconds kLongestLatency = std::chrono::hours{24};

// Of numbers. A time of kLongestTime fits into nanoseconds, and into ticks of kMostTimescale; two kMostTicks add up.
constexpr Duration kLongestTime = std::chrono::hours{24 * 36'525};  // 100 years
constexpr std::int64_t kMostTimescale = 1'000'000'000;              // ticks per second
constexpr std::int64_t kMostTicks = (std::int64_t{1} << 62) - 1;
constexpr std::int64_t kMostLength = std::int64_t{1} << 60;  // ticks of one segment
constexpr Duration kLongestOffset = kLongestTime / 8;        // those of five levels add up to less than kLongestTime
constexpr std::int64_t kMostNumber = std::int64_t{1} << 53;  // of a segment

/// Of segments that are available before their time ("INF"), so much is listed where the end of the period is not known.
constexpr Duration kMostAhead = std::chrono::minutes{10};

/// A clock that is wrong by a time zone is believed; one that is wrong by more is none.
constexpr Duration kMostClockError = std::chrono::hours{24};

/// By how much the stated end of a period may be later than the end of its last segment, because it was rounded.
constexpr Duration kSliver = std::chrono::milliseconds{1};

}  // namespace tributary::dash
