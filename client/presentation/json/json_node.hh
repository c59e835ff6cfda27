#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "presentation/json/json_error.hh"

namespace tributary {

/// Throws JsonError with line and column when the text is not JSON.
nlohmann::json parse_json(std::string_view text);

/// A value and its place in the document. An accessor throws JsonError with that place if the value is of another kind.
/// Refers to the document, which must live longer.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& value, std::string place) : value_{&value}, place_{std::move(place)} {}

  /// Members of an object. A member that is null counts as missing.
  JsonNode member(std::string_view name) const;
  std::optional<JsonNode> find(std::string_view name) const;
  /// Elements of an array.
  std::size_t size() const;
  JsonNode element(std::size_t index) const;

  std::string text() const;
  bool boolean() const;
  double number() const;
  /// An integer from minimum to maximum; `what` completes "-5 is not ...", with its article.
  std::int64_t integer(std::string_view what, std::int64_t minimum, std::int64_t maximum) const;

  [[noreturn]] void refuse(std::string_view why) const;

  /// For the document itself: its members "format" and "version" are these.
  void expect_format(std::string_view format, int version) const;

 private:
  const nlohmann::json* value_;
  std::string place_;  // empty for the document itself
};

}  // namespace tributary
