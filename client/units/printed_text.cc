#include "units/printed_text.hh"

#include <cstdint>

namespace tributary {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character
};

/// RFC 3629: the shortest form only, no surrogates.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  char32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (surrogate || code > 0x10ffff || (length == 3 && code < 0x800) || (length == 4 && code < 0x10000)) return {};
  return {code, length};
}

bool commands_terminal(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool line_or_paragraph = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || line_or_paragraph || direction;
}

std::string shown(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character first = first_of(text);
    const std::size_t bytes = first.bytes == 0 ? 1 : first.bytes;
    if (first.bytes == 0) {
      result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[0]));
    } else if (!commands_terminal(first.code) || kept.find(text[0]) != std::string_view::npos) {
      result += text.substr(0, bytes);
    } else {
      const auto code = static_cast<std::uint32_t>(first.code);
      result += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, "\n\t"); }

std::string printable_line(std::string_view text) { return shown(text, ""); }

void print_text(std::FILE* out, std::string_view text) {
  const std::string safe = printable(text);
  std::fwrite(safe.data(), 1, safe.size(), out);
}

}  // namespace tributary
