#include "units/plain_text.hh"

#include <algorithm>

#include "units/utf8.hh"

namespace tributary {

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

}  // namespace tributary
