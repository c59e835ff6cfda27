#include "hls/lines/playlist_variables.hh"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/playlist_limits.hh"

namespace tributary::hls {
namespace {

bool may_stand_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// "name" if the text begins with "{$name}".
std::optional<std::string_view> name_at_front(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin() + 2, text.end(), may_stand_in_name);
  const auto size = static_cast<std::size_t>(end - text.begin()) - 2;
  if (size == 0 || end == text.end() || *end != '}') return std::nullopt;
  return text.substr(2, size);
}

std::optional<int> hexadecimal_value(std::string_view two) {
  const auto value = two.size() == 2 ? block(two) : std::nullopt;  // its lowest byte
  if (!value || two.starts_with("0x") || two.starts_with("0X")) return std::nullopt;
  return std::to_integer<int>(value->back());
}

/// Percent-encoded bytes as they are. "+" stays, as in base64: only forms mean a blank by it.
std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto escape = text[i] == '%' ? hexadecimal_value(text.substr(i + 1, 2)) : std::nullopt;
    result += escape ? static_cast<char>(*escape) : text[i];
    if (escape) i += 2;
  }
  return result;
}

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (decoded(pair.substr(0, equals)) == name) return decoded(pair.substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

}  // namespace

void VariableScope::define(const PlaylistLine& line) {
  const AttributeList attributes{line, *this};
  std::string name;
  std::string value;
  if (attributes.has("NAME")) {
    name = attributes.required_text("NAME");
    value = attributes.required_text("VALUE");
  } else if (attributes.has("IMPORT")) {
    name = attributes.required_text("IMPORT");
    const auto imported = outside_.of_multivariant.find(name);
    if (imported == outside_.of_multivariant.end()) {
      line.refuse(fmt::format("the multivariant playlist defines no variable {}", in_quotes(name)));
    }
    value = imported->second;
  } else if (attributes.has("QUERYPARAM")) {
    name = attributes.required_text("QUERYPARAM");
    auto parameter = query_parameter(outside_.query, name);
    if (!parameter) line.refuse(fmt::format("the address of the playlist has no query parameter {}", in_quotes(name)));
    value = std::move(*parameter);
  } else {
    line.refuse("neither NAME nor IMPORT nor QUERYPARAM is there");
  }
  if (name.empty() || !std::ranges::all_of(name, may_stand_in_name)) {
    line.refuse(fmt::format("{} is not a name of letters, digits, \"-\" and \"_\"", in_quotes(name)));
  }
  if (values_.size() == kMaxVariables) line.refuse(fmt::format("at most {} variables are read", kMaxVariables));
  if (!values_.emplace(name, std::move(value)).second) {
    line.refuse(fmt::format("{} is defined twice", in_quotes(name)));
  }
}

std::string VariableScope::substituted(std::string_view text, const PlaylistLine& line) {
  std::string result;
  for (;;) {
    const std::size_t reference = std::min(text.find("{$"), text.size());
    result += text.substr(0, reference);
    text.remove_prefix(reference);
    if (text.empty()) return result;
    const auto name = name_at_front(text);
    if (!name) {  // it only looks like the begin of a reference
      result += text.substr(0, 2);
      text.remove_prefix(2);
      continue;
    }
    const auto value = values_.find(*name);
    if (value == values_.end()) line.refuse(fmt::format("no EXT-X-DEFINE before defines {}", in_quotes(*name)));
    substituted_size_ += value->second.size();
    result += value->second;
    if (result.size() > kMaxLineLength || substituted_size_ > kMaxSubstitutedSize) {
      line.refuse("variables make the text too long");
    }
    text.remove_prefix(name->size() + 3);
  }
}

}  // namespace tributary::hls
