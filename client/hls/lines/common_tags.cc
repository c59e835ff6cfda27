#include "hls/lines/common_tags.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary::hls {
namespace {

/// A control character could end a request's line.
std::string checked_address(std::string text, const PlaylistLine& line) {
  if (text.empty()) line.refuse("the address is empty");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const auto control = std::ranges::find_if(text, is_control);
  if (control != text.end()) {
    line.refuse(fmt::format("character {} of the address is a control character", control - text.begin() + 1));
  }
  return text;
}

}  // namespace

std::optional<PlaylistStart> playlist_start(const PlaylistLine& line, VariableScope& variables) {
  const AttributeList attributes{line, variables};
  const auto offset = attributes.hint("TIME-OFFSET", signed_seconds);
  if (!offset) return std::nullopt;
  return PlaylistStart{*offset, attributes.yes("PRECISE")};
}

std::string address(const PlaylistLine& line, VariableScope& variables) {
  return checked_address(variables.substituted(line.value, line), line);
}

std::string required_address(const AttributeList& attributes, const PlaylistLine& line, std::string_view name) {
  return checked_address(attributes.required_text(name), line);
}

}  // namespace tributary::hls
