#include "units/text/data_address.hh"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "units/text/percent_escapes.hh"

namespace tributary {
namespace {

constexpr std::string_view kDataScheme = "data:", kBase64 = ";base64";

bool equals_without_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, [](unsigned char c) { return std::tolower(c); });
}

std::optional<unsigned> digit_of(char c, std::string_view digits) {
  const std::size_t found = digits.find(c);
  return found == std::string_view::npos ? std::nullopt : std::optional{static_cast<unsigned>(found)};
}

/// RFC 4648 sections 4 and 5. Blanks count for nothing.
std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : text.substr(0, text.find('='))) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (c == '-') c = '+';
    if (c == '_') c = '/';
    const auto digit = digit_of(c, kDigits);
    if (!digit) return std::nullopt;
    bits = bits << 6 | *digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace

bool is_data_address(std::string_view url) {
  return url.size() >= kDataScheme.size() && equals_without_case(url.substr(0, kDataScheme.size()), kDataScheme);
}

std::optional<std::string> data_of(std::string_view url) {
  const std::size_t comma = url.find(',');
  if (!is_data_address(url) || comma == std::string_view::npos) return std::nullopt;
  const std::string_view head = url.substr(0, comma);
  const std::string body = percent_decoded(url.substr(comma + 1));
  const bool base64 =
      head.size() >= kBase64.size() && equals_without_case(head.substr(head.size() - kBase64.size()), kBase64);
  return base64 ? from_base64(body) : std::optional{body};
}

std::optional<std::string> data_of(std::string_view url, const std::optional<ByteRange>& range) {
  auto bytes = data_of(url);
  if (!bytes || !range) return bytes;
  const auto begin = std::min(static_cast<std::size_t>(range->begin.bytes()), bytes->size());
  return bytes->substr(begin, static_cast<std::size_t>(range->size().bytes()));
}

}  // namespace tributary
