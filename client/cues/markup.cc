#include "cues/markup.hh"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace tributary {
namespace {

constexpr std::size_t kDeepestMarkup = 32;  // Pango descends into elements
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// The bytes of the character at the beginning of the text; 0: these bytes are no UTF-8 (RFC 3629 section 4).
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const std::uint8_t second = byte(1);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return too_long || no_character ? 0 : length;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string markup;
  markup.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    const char first = text.front();
    if (length == 0) {
      markup += kReplacement;
    } else if (first == '&') {
      markup += "&amp;";
    } else if (first == '<') {
      markup += "&lt;";
    } else if (first == '>') {
      markup += "&gt;";
    } else if (length > 1 || static_cast<std::uint8_t>(first) >= ' ' || first == '\n') {
      if (first != '\x7f') markup += text.substr(0, length);
    } else if (first == '\t') {
      markup += ' ';
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return markup;
}

void Markup::open(std::string_view name, std::string_view element) {
  if (open_.size() >= kDeepestMarkup) element = "";
  if (open_.size() >= 2 * kDeepestMarkup) return;
  std::string end;
  if (!element.empty()) {
    markup_.append("<").append(element).append(">");
    end.append("</").append(element.substr(0, element.find(' '))).append(">");
  }
  open_.push_back({std::string{name}, std::move(end)});
}

void Markup::close(std::string_view name) {
  const auto found = std::ranges::find(open_.rbegin(), open_.rend(), name, &Open::name);
  if (found == open_.rend()) return;
  for (std::ptrdiff_t left = found - open_.rbegin(); left >= 0; --left) close_last();
}

void Markup::close_last() {
  markup_ += open_.back().end;
  open_.pop_back();
}

std::string Markup::take() {
  while (!open_.empty()) close_last();
  const std::size_t begin = markup_.find_first_not_of(" \n");
  const std::size_t end = markup_.find_last_not_of(" \n");
  if (begin == std::string::npos) return {};
  return std::exchange(markup_, {}).substr(begin, end - begin + 1);
}

}  // namespace tributary
