#include "cues/ttml_styles.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "cues/ttml_times.hh"

namespace tributary {
namespace {

constexpr int kDeepestReference = 8;
constexpr std::size_t kMostReferences = 16;
constexpr std::size_t kMostStyles = 10'000;

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kNames{{{"black", "#000000"},
                                                                                {"silver", "#c0c0c0"},
                                                                                {"gray", "#808080"},
                                                                                {"white", "#ffffff"},
                                                                                {"maroon", "#800000"},
                                                                                {"red", "#ff0000"},
                                                                                {"purple", "#800080"},
                                                                                {"fuchsia", "#ff00ff"},
                                                                                {"magenta", "#ff00ff"},
                                                                                {"green", "#008000"},
                                                                                {"lime", "#00ff00"},
                                                                                {"olive", "#808000"},
                                                                                {"yellow", "#ffff00"},
                                                                                {"navy", "#000080"},
                                                                                {"blue", "#0000ff"},
                                                                                {"teal", "#008080"},
                                                                                {"aqua", "#00ffff"},
                                                                                {"cyan", "#00ffff"}}};

/// Calls `act` with each id of a list.
template <typename Act>
void each_id(std::string_view ids, Act act) {
  for (std::size_t count = 0; count < kMostReferences; ++count) {
    const std::size_t begin = ids.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return;
    ids.remove_prefix(begin);
    const std::size_t end = std::min(ids.find_first_of(" \t\r\n"), ids.size());
    act(ids.substr(0, end));
    ids.remove_prefix(end);
  }
}

TtmlStyle attributes_of(pugi::xml_node node) {
  TtmlStyle style;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = ttml_name(attribute.name()), value = attribute.value();
    if (name == "fontStyle") style.italic = value == "italic" || value == "oblique";
    if (name == "fontWeight") style.bold = value == "bold";
    if (name == "textDecoration") style.underlined = value.find("underline") == 0;
    if (name == "display" && value == "none") style.hidden = true;
    if (name == "visibility") style.hidden = value == "hidden";
    if (name == "color") style.color = ttml_color(value);
  }
  return style;
}

}  // namespace

std::optional<std::string> ttml_color(std::string_view text) {
  const auto* const known = std::ranges::find(kNames, text, &std::pair<std::string_view, std::string_view>::first);
  if (known != kNames.end()) return std::string{known->second};
  if (text.starts_with("#")) {
    const bool digits = text.substr(1).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    return digits && (text.size() == 7 || text.size() == 9) ? std::optional<std::string>{text.substr(0, 7)}
                                                            : std::nullopt;
  }
  const std::size_t open = text.find('(');
  if (!text.starts_with("rgb") || open == std::string_view::npos) return std::nullopt;
  std::array<unsigned, 3> parts{};
  const char* at = text.data() + open + 1;
  const char* const end = text.data() + text.size();
  for (unsigned& part : parts) {
    while (at != end && (*at == ' ' || *at == ',')) ++at;
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc{} || part > 255) return std::nullopt;
    at = next;
  }
  return fmt::format("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2]);
}

TtmlStyle TtmlStyle::over(const TtmlStyle& other) const {
  TtmlStyle style = *this;
  const auto inherit = [](auto& own, const auto& theirs) {
    if (!own) own = theirs;
  };
  inherit(style.italic, other.italic);
  inherit(style.bold, other.bold);
  inherit(style.underlined, other.underlined);
  inherit(style.hidden, other.hidden);
  inherit(style.color, other.color);
  return style;
}

TtmlStyles::TtmlStyles(pugi::xml_node root) {
  for (const pugi::xml_node head : root.children()) {
    if (ttml_name(head.name()) != "head") continue;
    for (const pugi::xml_node section : head.children()) {
      if (ttml_name(section.name()) != "styling") continue;
      for (const pugi::xml_node style : section.children()) {
        const auto id = ttml_attribute(style, "id");
        if (id && ttml_name(style.name()) == "style" && styles_.size() < kMostStyles)
          styles_.emplace(std::string{*id}, style);
      }
    }
    for (const pugi::xml_node section : head.children()) {
      if (ttml_name(section.name()) != "layout") continue;
      for (const pugi::xml_node region : section.children()) {
        const auto id = ttml_attribute(region, "id");
        if (!id || ttml_name(region.name()) != "region" || regions_.size() >= kMostStyles) continue;
        TtmlStyle style = stated(region, 0);
        for (const pugi::xml_node nested : region.children()) {
          if (ttml_name(nested.name()) == "style") style = style.over(stated(nested, 0));
        }
        regions_.emplace(std::string{*id}, std::move(style));
      }
    }
  }
}

/// What the element and the styles that it refers to state; of these, the later ones go first.
TtmlStyle TtmlStyles::stated(pugi::xml_node node, int depth) const {
  TtmlStyle referred;
  const auto ids = ttml_attribute(node, "style");
  if (ids && depth < kDeepestReference) {
    each_id(*ids, [&](std::string_view id) {
      const auto found = styles_.find(id);
      if (found != styles_.end()) referred = stated(found->second, depth + 1).over(referred);
    });
  }
  return attributes_of(node).over(referred);
}

TtmlStyle TtmlStyles::of(pugi::xml_node node, const TtmlStyle& around) const {
  TtmlStyle outer = around;
  if (const auto region = ttml_attribute(node, "region")) {
    const auto found = regions_.find(*region);
    if (found != regions_.end()) outer = around.over(found->second);
  }
  return stated(node, 0).over(outer);
}

}  // namespace tributary
