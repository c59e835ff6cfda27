#include "proxy/requests/byte_ranges.hh"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "proxy/requests/fields.hh"

namespace tributary::proxy {

namespace {

/// Numbers that are too large become the largest: no file has that byte.
std::optional<DataSize> read_number(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return {};
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{}) {
    number = std::numeric_limits<std::int64_t>::max() - 1;  // its end is a number as well
  }
  return DataSize{std::min(number, std::numeric_limits<std::int64_t>::max() - 1)};
}

}  // namespace

std::optional<AskedRange> read_range(std::string_view value) {
  constexpr std::string_view kUnit = "bytes=";
  if (!is_same_name(value.substr(0, kUnit.size()), kUnit)) return {};
  value.remove_prefix(kUnit.size());
  const std::size_t dash = value.find('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view behind = value.substr(dash + 1);
  const std::optional<DataSize> number = read_number(behind);
  if (dash == 0) return number ? std::optional<AskedRange>{{.first = {}, .last = {}, .count = *number}} : std::nullopt;
  const std::optional<DataSize> first = read_number(value.substr(0, dash));
  if (!first || (!number && !behind.empty()) || (number && *number < *first)) return {};
  return AskedRange{.first = first, .last = number, .count = {}};
}

std::optional<ByteRange> closed_range(const std::optional<std::string>& field) {
  const auto asked = field ? read_range(*field) : std::nullopt;
  if (!asked || !asked->first || !asked->last) return std::nullopt;
  return ByteRange{*asked->first, *asked->last + DataSize{1}};
}

std::optional<ByteRange> bytes_of(const AskedRange& asked, DataSize size) {
  ByteRange range{DataSize{}, size};
  if (asked.first) {
    range.begin = *asked.first;
    if (asked.last) range.end = std::min(size, *asked.last + DataSize{1});
  } else {
    range.begin = size - std::min(size, asked.count);
  }
  if (range.empty()) return {};
  return range;
}

}  // namespace tributary::proxy
