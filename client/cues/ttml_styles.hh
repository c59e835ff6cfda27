#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace tributary {

/// How a text looks. Nothing: as the one around it.
struct TtmlStyle {
  std::optional<bool> italic, bold, underlined, hidden;
  std::optional<std::string> color;  // "#ff0000"

  /// This one, and the other where this one states nothing.
  TtmlStyle over(const TtmlStyle& other) const;
  bool operator==(const TtmlStyle&) const = default;
};

/// The styles and regions of a document, by their ids (TTML sections 8.1.2 and 9.1.2).
class TtmlStyles {
 public:
  explicit TtmlStyles(pugi::xml_node root);

  /// The style of an element within one that looks like `around`.
  TtmlStyle of(pugi::xml_node node, const TtmlStyle& around) const;

 private:
  TtmlStyle stated(pugi::xml_node node, int depth) const;

  std::map<std::string, pugi::xml_node, std::less<>> styles_;
  std::map<std::string, TtmlStyle, std::less<>> regions_;
};

/// "#ff0000" of "red", "#f00000ff", "rgb(255,0,0)" (section 8.3.2). Nothing for another text.
std::optional<std::string> ttml_color(std::string_view text);

}  // namespace tributary
