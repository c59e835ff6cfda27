#include "units/text/plain_text.hh"

#include <algorithm>
#include <array>

#include "units/utf8.hh"

namespace tributary {
namespace {

/// The capital letters of a range, whose small ones stand `by` behind them.
struct Capitals {
  char32_t first, last, by;
};
constexpr std::array kCapitals{Capitals{'A', 'Z', 0x20},     Capitals{0xc0, 0xd6, 0x20},
                               Capitals{0xd8, 0xde, 0x20},   Capitals{0x391, 0x3a9, 0x20},
                               Capitals{0x400, 0x40f, 0x50}, Capitals{0x410, 0x42f, 0x20}};

/// Of at most two bytes.
std::string utf8_of(char32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    if (first.bytes == 0) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

std::string as_one_line(std::string_view text) {
  constexpr const char* kReplacement = "\uFFFD";
  std::string line;
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    if (first.bytes == 0) {
      line += kReplacement;
    } else if (is_control(first.code)) {
      line += ' ';
    } else {
      line += text.substr(0, first.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(first.bytes, 1));
  }
  return line;
}

std::string without_case(std::string_view text) {
  std::string small;
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(first.bytes, 1);
    const auto* const range = std::ranges::find_if(kCapitals, [&](const Capitals& capitals) {
      return first.bytes > 0 && first.code >= capitals.first && first.code <= capitals.last;
    });
    small += range == kCapitals.end() ? std::string{text.substr(0, bytes)} : utf8_of(first.code + range->by);
    text.remove_prefix(bytes);
  }
  return small;
}

}  // namespace tributary
