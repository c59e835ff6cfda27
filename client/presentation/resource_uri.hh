#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tributary {

/// Whether a name in an index may be fetched or written: a relative path below the index, percent-encoded
/// (RFC 3986), without "..", without a scheme, host, query or fragment. Nothing if it may, otherwise why not.
std::optional<std::string> why_not_below_index(std::string_view uri);

/// The same for the name of a track's segments: exactly one "{n}" or "{n:0W}", W digits from 1 to 9, stands
/// for the number of the segment.
std::optional<std::string> why_not_segment_pattern(std::string_view uri);

/// The same for the name of parts of a track's segments: "{p}" stands for the number of the part, too.
std::optional<std::string> why_not_part_pattern(std::string_view uri);

/// The pattern with that number for "{p}", which is the name of a part of every segment.
std::string with_part_number(std::string pattern, std::uint64_t part);

/// The name of the file with that number: "low/{n:05}.m4s" and 7 are "low/00007.m4s". A pattern without a number is the
/// name itself. The pattern is one that why_not_segment_pattern() allows, or has no brace.
std::string numbered(const std::string& pattern, std::uint64_t number);

}  // namespace tributary
