#include "hls/attribute_list.hh"

#include <fmt/format.h>

#include <algorithm>

#include "hls/playlist_variables.hh"

namespace tributary::hls {
namespace {

/// Takes what is before the first of these characters.
std::string_view take_until(std::string_view& text, std::string_view one_of) {
  const std::string_view taken = text.substr(0, text.find_first_of(one_of));
  text.remove_prefix(taken.size());
  return taken;
}

}  // namespace

AttributeList::AttributeList(const PlaylistLine& line, VariableScope& variables) : line_{line}, variables_{variables} {
  std::string_view rest = line.value;
  while (!rest.empty()) {
    take_attribute(rest);
    if (!rest.empty()) rest.remove_prefix(1);  // the comma
  }
}

void AttributeList::take_attribute(std::string_view& rest) {
  const std::string_view name = trimmed(take_until(rest, "=,"));
  if (!rest.starts_with('=')) return;
  rest.remove_prefix(1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!rest.starts_with('"')) {
    attributes_.push_back({name, trimmed(take_until(rest, ",")), false});
    return;
  }
  rest.remove_prefix(1);
  if (rest.find('"') == std::string_view::npos) {  // the quotation has no end: the value has one
    attributes_.push_back({name, trimmed(take_until(rest, ",")), true});
    return;
  }
  const std::string_view value = take_until(rest, "\"");
  attributes_.push_back({name, value, true});
  take_until(rest, ",");
}

const AttributeList::Attribute* AttributeList::find(std::string_view name) const {
  const auto found = std::ranges::find(attributes_, name, &Attribute::name);
  return found == attributes_.end() ? nullptr : &*found;
}

bool AttributeList::yes(std::string_view name) const {
  const Attribute* const attribute = find(name);
  return attribute != nullptr && attribute->value == "YES";
}

bool AttributeList::is_word(std::string_view name, std::string_view word) const {
  const Attribute* const attribute = find(name);
  return attribute != nullptr && !attribute->quoted && attribute->value == word;
}

std::string AttributeList::text(std::string_view name) const {
  const Attribute* const attribute = find(name);
  if (attribute == nullptr) return {};
  std::string text = variables_.substituted(attribute->value, line_);
  if (!attribute->quoted && text != attribute->value && text.find_first_of("\", \t") != std::string::npos)
    line_.refuse(fmt::format("{}={} needs quotation marks", name, in_quotes(text)));
  return text;
}

std::string AttributeList::required_text(std::string_view name) const {
  if (!has(name)) line_.refuse(fmt::format("{} is missing", name));
  return text(name);
}

void AttributeList::refuse_value(std::string_view name, std::string_view value, std::string_view what) const {
  line_.refuse(fmt::format("{}={} is not {}", name, in_quotes(value), what));
}

}  // namespace tributary::hls
