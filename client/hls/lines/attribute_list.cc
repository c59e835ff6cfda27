#include "hls/lines/attribute_list.hh"

#include <fmt/format.h>

#include <algorithm>

#include "hls/lines/playlist_variables.hh"

namespace tributary::hls {
namespace {

/// Takes what is before the first of these characters.
std::string_view take_until(std::string_view& text, std::string_view one_of) {
  const std::string_view taken = text.substr(0, text.find_first_of(one_of));
  text.remove_prefix(taken.size());
  return taken;
}

/// Takes the value at the front of the text, and what stands behind it up to the next attribute.
StatedAttribute take_value(std::string_view& rest, std::string_view name) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (rest.starts_with('"')) {
    const std::size_t end = rest.find('"', 1);
    if (end != std::string_view::npos) {
      const std::string_view whole = rest.substr(0, end + 1);
      rest.remove_prefix(whole.size());
      take_until(rest, ",");
      return {name, whole.substr(1, end - 1), whole};
    }
  }
  std::string_view whole = take_until(rest, ",");
  whole = whole.substr(0, whole.find_last_not_of(" \t") + 1);
  return {name, trimmed(whole.substr(whole.starts_with('"') ? 1 : 0)), whole};
}

}  // namespace

std::vector<StatedAttribute> stated_attributes(std::string_view value) {
  std::vector<StatedAttribute> attributes;
  while (!value.empty()) {
    const std::string_view name = trimmed(take_until(value, "=,"));
    if (value.starts_with('=')) {
      value.remove_prefix(1);
      attributes.push_back(take_value(value, name));
    }
    if (!value.empty()) value.remove_prefix(1);  // the comma
  }
  return attributes;
}

AttributeList::AttributeList(const PlaylistLine& line, VariableScope& variables)
    : line_{line}, variables_{variables}, attributes_{stated_attributes(line.value)} {}

const StatedAttribute* AttributeList::find(std::string_view name) const {
  const auto found = std::ranges::find(attributes_, name, &StatedAttribute::name);
  return found == attributes_.end() ? nullptr : &*found;
}

bool AttributeList::yes(std::string_view name) const {
  const StatedAttribute* const attribute = find(name);
  return attribute != nullptr && attribute->value == "YES";
}

bool AttributeList::is_word(std::string_view name, std::string_view word) const {
  const StatedAttribute* const attribute = find(name);
  return attribute != nullptr && !attribute->quoted() && attribute->value == word;
}

std::string AttributeList::text(std::string_view name) const {
  const StatedAttribute* const attribute = find(name);
  if (attribute == nullptr) return {};
  std::string text = variables_.substituted(attribute->value, line_);
  if (!attribute->quoted() && text != attribute->value && text.find_first_of("\", \t") != std::string::npos)
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
