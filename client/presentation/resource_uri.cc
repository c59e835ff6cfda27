#include "presentation/resource_uri.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

constexpr std::string_view kPartField = "{p}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// unreserved, sub-delims and "@" of RFC 3986. ":" is left out: in the first part it would make a scheme.
bool may_stand_in_path(char c) {
  return is_letter(c) || is_digit(c) || std::string_view{"-._~!$&'()*+,;=@/"}.find(c) != std::string_view::npos;
}

/// "%41" at the start. An encoded dot, slash or backslash could become a ".." at the origin and is refused.
bool is_harmless_escape(std::string_view text) {
  if (text.size() < 3 || !is_hex(text[1]) || !is_hex(text[2])) return false;
  const int value = std::stoi(std::string{text.substr(1, 2)}, nullptr, 16);
  return value >= 0x20 && value != 0x7f && value != '.' && value != '/' && value != '\\';
}

}  // namespace

std::optional<std::string> why_not_below_index(std::string_view uri) {
  if (uri.empty()) return "the name is empty";
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' ? !is_harmless_escape(uri.substr(i)) : !may_stand_in_path(uri[i])) {
      return fmt::format("character {} of the name may not stand in a relative path", i + 1);
    }
  }
  for (std::size_t begin = 0; begin <= uri.size();) {
    const std::size_t end = std::min(uri.find('/', begin), uri.size());
    const std::string_view part = uri.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") {
      return "the name must be a path below the index, without empty, \".\" or \"..\" parts";
    }
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> why_not_segment_pattern(std::string_view uri) {
  const std::size_t open = uri.find('{');
  const std::size_t close = uri.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return "the name has no {n} for the number of the segment";
  }
  const std::string_view field = uri.substr(open, close - open + 1);
  const bool with_width = field.size() == 6 && field.starts_with("{n:0") && field[4] >= '1' && field[4] <= '9';
  if (field != "{n}" && !with_width) return fmt::format("{} is neither {{n}} nor like {{n:05}}", field);
  // A number in place of the pattern leaves an ordinary name; a second brace is refused there.
  return why_not_below_index(fmt::format("{}1{}", uri.substr(0, open), uri.substr(close + 1)));
}

std::optional<std::string> why_not_part_pattern(std::string_view uri) {
  if (uri.find(kPartField) == std::string_view::npos) return "the name has no {p} for the number of the part";
  return why_not_segment_pattern(with_part_number(std::string{uri}, 0));
}

std::string with_part_number(std::string pattern, std::uint64_t part) {
  return pattern.replace(pattern.find(kPartField), kPartField.size(), fmt::format("{}", part));
}

std::string numbered(const std::string& pattern, std::uint64_t number) {
  const auto open = pattern.find('{');
  if (open == std::string::npos) return pattern;
  const auto close = pattern.find('}', open);
  const std::string field = pattern.substr(open, close - open + 1);
  const int width = field == "{n}" ? 0 : std::stoi(field.substr(3));
  return pattern.substr(0, open) + fmt::format("{:0{}}", number, width) + pattern.substr(close + 1);
}

}  // namespace tributary
