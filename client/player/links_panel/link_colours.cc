#include "player/links_panel/link_colours.hh"

#include <fmt/format.h>

#include <array>

namespace tributary::play {
namespace {

struct Pair {
  const char *light, *dark;
};
// From GNOME's palette: blue, orange, green, purple, yellow, brown.
constexpr std::array<Pair, 6> kColours{{{"#1c71d8", "#62a0ea"},
                                        {"#ff7800", "#ffa348"},
                                        {"#26a269", "#57e389"},
                                        {"#813d9c", "#dc8add"},
                                        {"#e5a50a", "#f9f06b"},
                                        {"#865e3c", "#cdab8f"}}};

const char* name_of(std::size_t index, bool dark) { return dark ? kColours[index].dark : kColours[index].light; }

std::size_t index_of(LinkId link) { return to_index(link) % kColours.size(); }

}  // namespace

GdkRGBA link_colour(LinkId link, bool dark) {
  GdkRGBA colour{};
  gdk_rgba_parse(&colour, name_of(index_of(link), dark));
  return colour;
}

std::string link_colour_class(LinkId link) { return fmt::format("link-colour-{}", index_of(link)); }

std::string link_colour_styles(bool dark) {
  std::string styles;
  for (std::size_t i = 0; i < kColours.size(); ++i) {
    styles += fmt::format(".link-colour-{} {{ color: {}; }}\n", i, name_of(i, dark));
  }
  return styles;
}

}  // namespace tributary::play
