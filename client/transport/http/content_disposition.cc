#include "transport/http/content_disposition.hh"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "transport/http/response_lines.hh"
#include "units/utf8.hh"

namespace tributary::transport {
namespace {

bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

/// Takes a value from the front of the text, up to its semicolon: a quoted string, or what stands there.
std::string take_value(std::string_view& text) {
  text = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  std::string value;
  if (!text.starts_with('"')) {
    value = trimmed(text.substr(0, text.find(';')));
  } else {
    text.remove_prefix(1);
    for (; !text.empty() && text.front() != '"'; text.remove_prefix(1)) {
      if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
      value += text.front();
    }
  }
  text = text.substr(std::min(text.find(';'), text.size()));
  return value;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string from_latin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xc0 | byte >> 6);
      utf8 += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return utf8;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.front() != '%') {
      decoded += text.front();
      continue;
    }
    std::uint8_t byte = 0;
    if (text.size() < 3 || std::from_chars(text.data() + 1, text.data() + 3, byte, 16).ptr != text.data() + 3)
      return std::nullopt;
    decoded += static_cast<char>(byte);
    text.remove_prefix(2);
  }
  return decoded;
}

/// "UTF-8''na%C3%AFve.iso", RFC 8187. Nothing if it cannot be read.
std::optional<std::string> extended_value(std::string_view value) {
  const std::size_t charset = value.find('\''), language = value.find('\'', charset + 1);
  if (charset == std::string_view::npos || language == std::string_view::npos) return std::nullopt;
  auto bytes = percent_decoded(value.substr(language + 1));
  if (!bytes) return std::nullopt;
  if (is_same(value.substr(0, charset), "utf-8") && is_utf8(*bytes)) return bytes;
  if (is_same(value.substr(0, charset), "iso-8859-1")) return from_latin1(*bytes);
  return std::nullopt;
}

}  // namespace

std::string disposition_file_name(std::string_view field) {
  std::string plain, extended;
  field = field.substr(std::min(field.find(';'), field.size()));  // behind the type
  while (!field.empty()) {
    field.remove_prefix(1);
    const std::size_t end = field.find_first_of("=;");
    const std::string_view name = trimmed(field.substr(0, end));
    field = field.substr(std::min(end, field.size()));
    if (!field.starts_with('=')) continue;
    field.remove_prefix(1);
    const std::string value = take_value(field);
    if (is_same(name, "filename") && plain.empty()) plain = is_utf8(value) ? value : from_latin1(value);
    if (is_same(name, "filename*") && extended.empty()) extended = extended_value(value).value_or("");
  }
  return extended.empty() ? plain : extended;
}

}  // namespace tributary::transport
