#include "presentation/json_node.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary {
namespace {

/// The value as it stands in the text, short enough for a message.
std::string quote(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    // `byte` counts from 1 and names the last byte read; 0 when nothing was.
    const std::string_view before = text.substr(0, std::min(std::max<std::size_t>(error.byte, 1) - 1, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    const bool ended = error.byte > text.size();
    throw JsonError{fmt::format("line {}, column {}: {}", line, column,
                                ended ? "the text ends within a value" : "this is not JSON")};
  } catch (const nlohmann::json::exception& error) {
    throw JsonError{fmt::format("not readable: {}", error.what())};
  }
}

JsonNode JsonNode::member(std::string_view name) const {
  if (auto found = find(name)) return *std::move(found);
  refuse(fmt::format("\"{}\" is missing", name));
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  if (!value_->is_object()) refuse(fmt::format("{} is not an object", quote(*value_)));
  const auto found = value_->find(name);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonNode{*found, place_.empty() ? std::string{name} : fmt::format("{}.{}", place_, name)};
}

std::size_t JsonNode::size() const {
  if (!value_->is_array()) refuse(fmt::format("{} is not an array", quote(*value_)));
  return value_->size();
}

JsonNode JsonNode::element(std::size_t index) const {
  if (index >= size()) refuse(fmt::format("an array of {} has no element {}", size(), index));
  return {(*value_)[index], fmt::format("{}[{}]", place_, index)};
}

std::string JsonNode::text() const {
  if (!value_->is_string()) refuse(fmt::format("{} is not a text", quote(*value_)));
  return value_->get<std::string>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) refuse(fmt::format("{} is not true or false", quote(*value_)));
  return value_->get<bool>();
}

double JsonNode::number() const {
  if (!value_->is_number()) refuse(fmt::format("{} is not a number", quote(*value_)));
  return value_->get<double>();
}

std::int64_t JsonNode::integer(std::string_view what, std::int64_t minimum, std::int64_t maximum) const {
  const bool fits = value_->is_number_unsigned()
                        ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::max<std::int64_t>(maximum, 0))
                        : value_->is_number_integer() && value_->get<std::int64_t>() <= maximum;
  if (!fits || value_->get<std::int64_t>() < minimum) refuse(fmt::format("{} is not {}", quote(*value_), what));
  return value_->get<std::int64_t>();
}

void JsonNode::refuse(std::string_view why) const {
  throw JsonError{place_.empty() ? std::string{why} : fmt::format("{}: {}", place_, why)};
}

void JsonNode::expect_format(std::string_view format, int version) const {
  const JsonNode stated = member("format");
  if (stated.text() != format) stated.refuse(fmt::format("not \"{}\"", format));
  member("version").integer(fmt::format("a version that is known (only {} is)", version), version, version);
}

}  // namespace tributary
