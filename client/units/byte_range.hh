#pragma once

#include <algorithm>
#include <compare>

#include "units/data_size.hh"

namespace tributary {

/// Bytes begin to end of a resource, end excluded. HTTP's last-byte-pos (RFC 9110 section 14.1.2) is end - 1.
struct ByteRange {
  DataSize begin;
  DataSize end;

  constexpr auto operator<=>(const ByteRange&) const = default;
  constexpr DataSize size() const { return end - begin; }
  constexpr bool empty() const { return end <= begin; }
  constexpr bool contains(ByteRange other) const { return begin <= other.begin && other.end <= end; }
};

constexpr ByteRange intersection(ByteRange a, ByteRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace tributary
