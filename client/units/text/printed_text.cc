#include "units/text/printed_text.hh"

#include <cstdint>

#include "units/utf8.hh"

namespace tributary {
namespace {

bool commands_terminal(char32_t code) {
  const bool direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return is_control(code) || direction;
}

std::string shown(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
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
