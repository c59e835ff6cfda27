#pragma once

#include <cstddef>
#include <string_view>

namespace tributary {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character
};

/// The character that a text begins with, by RFC 3629: the shortest form only, no surrogates. The text must not be
/// empty.
Utf8Character first_character(std::string_view text);

/// C0, DEL, C1, and the separators of lines and paragraphs.
bool is_control(char32_t code);

}  // namespace tributary
