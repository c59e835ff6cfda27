#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "proxy/requests/fields.hh"

namespace tributary::proxy {

constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return -1;
}

/// The character that "%41" at `i` stands for; nothing if no such three characters stand there.
constexpr std::optional<char> encoded_character(std::string_view text, std::size_t i) {
  if (i + 2 >= text.size() || text[i] != '%') return {};
  const int high = hex_digit(text[i + 1]);
  const int low = hex_digit(text[i + 2]);
  if (high < 0 || low < 0) return {};
  return static_cast<char>(high * 16 + low);
}

}  // namespace tributary::proxy
