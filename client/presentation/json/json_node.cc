#include "presentation/json/json_node.hh"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "units/text/printed_text.hh"

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

/// `offset`: of the byte that is wrong.
[[noreturn]] void refuse_at(std::string_view text, std::size_t offset, std::string_view why) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  throw JsonError{fmt::format("line {}, column {}: {}", line, column, why)};
}

/// Values take up to 30 times the memory that their text does, and more the deeper they are: a text that would take too
/// much is refused before it is read.
void check_bounds(std::string_view text) {
  constexpr std::size_t kNumber = 16, kOther = 80, kMostMemory = 256'000'000;
  constexpr int kDeepest = 32;  // ours need 6
  std::size_t memory = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    const bool begins = c == '[' || c == '{';
    quoted = c == '"';
    depth += begins ? 1 : c == ']' || c == '}' ? -1 : 0;
    memory += begins || quoted ? kOther : c == ',' ? kNumber : 0;
    if (depth > kDeepest) refuse_at(text, i, fmt::format("values within values, more than {} deep", kDeepest));
    if (memory > kMostMemory) refuse_at(text, i, fmt::format("more values than {} MB hold", kMostMemory / 1'000'000));
  }
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  check_bounds(text);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    // `byte` counts from 1 and names the last byte read; 0 when nothing was.
    const bool ended = error.byte > text.size();
    refuse_at(text, std::max<std::size_t>(error.byte, 1) - 1,
              ended ? "the text ends within a value" : "this is not JSON");
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
  throw JsonError{printable_line(place_.empty() ? std::string{why} : fmt::format("{}: {}", place_, why))};
}

void JsonNode::expect_format(std::string_view format, int version) const {
  const JsonNode stated = member("format");
  if (stated.text() != format) stated.refuse(fmt::format("not \"{}\"", format));
  member("version").integer(fmt::format("a version that is known (only {} is)", version), version, version);
}

}  // namespace tributary
