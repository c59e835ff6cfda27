#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace tributary {

/// The text with nothing in it that would command a terminal: servers, files and libraries have a word in most texts.
/// Control characters (C0, DEL, C1), characters that turn the direction of writing, and bytes that are not UTF-8 are
/// shown as "\x1b" or "\u202e". Line feeds and tabs stay.
std::string printable(std::string_view text);
/// The same for one line: line feeds and tabs are shown as well.
std::string printable_line(std::string_view text);

/// Everything that a program prints goes through here (tests/printing_test.py).
void print_text(std::FILE* out, std::string_view text);
template <typename... Arguments>
void print_text(std::FILE* out, fmt::format_string<Arguments...> format,
                Arguments&&... arguments) requires(sizeof...(Arguments) > 0) {
  print_text(out, std::string_view{fmt::format(format, std::forward<Arguments>(arguments)...)});
}

}  // namespace tributary
