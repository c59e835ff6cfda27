#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hls/lines/playlist_lines.hh"
#include "hls/lines/playlist_values.hh"

namespace tributary::hls {

class VariableScope;

/// An attribute as it stands in the value of a tag.
struct StatedAttribute {
  std::string_view name, value;  // the value without quotation marks
  std::string_view whole_value;  // with them, or with all that stands before it

  bool quoted() const { return whole_value.starts_with('"'); }
};

/// The attributes in the value of a tag (RFC 8216 section 4.2), in order. Blanks around commas are allowed; words without
/// "=" count for nothing. A quotation without an end ends with its attribute.
std::vector<StatedAttribute> stated_attributes(std::string_view value);

/// The attributes of a tag, by name: the first of two attributes of one name counts. Refers to the line and the scope.
class AttributeList {
 public:
  AttributeList(const PlaylistLine& line, VariableScope& variables);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Whether the value is YES.
  bool yes(std::string_view name) const;
  /// Whether the value is this word, without quotation marks.
  bool is_word(std::string_view name, std::string_view word) const;

  /// The value, variables replaced. Empty if there is none. Throws PlaylistError if a variable brings a comma, blank or
  /// quotation mark into a value without quotation marks.
  std::string text(std::string_view name) const;
  /// Throws PlaylistError if there is no such attribute.
  std::string required_text(std::string_view name) const;

  /// What `read` makes of the value. Nothing if there is none, or `read` gives nothing: for values that help and can be
  /// done without.
  template <typename Value>
  std::optional<Value> hint(std::string_view name, std::optional<Value> (*read)(std::string_view)) const {
    if (!has(name)) return std::nullopt;
    return read(text(name));
  }
  /// The same for values that decide which bytes are played: throws PlaylistError if `read` gives nothing. `what`
  /// completes "... is not".
  template <typename Value>
  std::optional<Value> strict(std::string_view name, std::optional<Value> (*read)(std::string_view),
                              std::string_view what) const {
    if (!has(name)) return std::nullopt;
    const std::string value = text(name);
    auto result = read(value);
    if (!result) refuse_value(name, value, what);
    return result;
  }
  /// The same for values that must be there.
  template <typename Value>
  Value required(std::string_view name, std::optional<Value> (*read)(std::string_view), std::string_view what) const {
    (void)required_text(name);
    return *strict(name, read, what);
  }

 private:
  const StatedAttribute* find(std::string_view name) const;
  [[noreturn]] void refuse_value(std::string_view name, std::string_view value, std::string_view what) const;

  const PlaylistLine& line_;
  VariableScope& variables_;
  std::vector<StatedAttribute> attributes_;
};

}  // namespace tributary::hls
