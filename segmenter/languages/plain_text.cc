#include "segmenter/languages/plain_text.hh"

extern "C" {
#include <libavutil/avstring.h>
}

#include <optional>

namespace tributary::segmenter {
namespace {

/// Takes the next character off the text, with its bytes. Nothing if these are no UTF-8.
std::optional<std::int32_t> take_character(std::string_view& text) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::uint8_t* at = begin;
  std::int32_t code = 0;
  const bool valid = av_utf8_decode(&code, &at, begin + text.size(), AV_UTF8_FLAG_ACCEPT_NON_CHARACTERS) >= 0;
  text.remove_prefix(valid ? static_cast<std::size_t>(at - begin) : 1);
  return valid ? std::optional{code} : std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (!take_character(text)) return false;
  }
  return true;
}

std::string as_one_line(std::string_view text) {
  constexpr const char* kReplacement = "\uFFFD";
  std::string line;
  while (!text.empty()) {
    const std::string_view before = text;
    const auto code = take_character(text);
    const bool is_control =
        code && (*code < 0x20 || (*code >= 0x7f && *code < 0xa0) || *code == 0x2028 || *code == 0x2029);
    if (is_control) {
      line += ' ';
    } else if (code) {
      line += before.substr(0, before.size() - text.size());
    } else {
      line += kReplacement;
    }
  }
  return line;
}

}  // namespace tributary::segmenter
