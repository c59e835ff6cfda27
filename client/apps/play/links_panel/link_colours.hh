#pragma once

#include <gdk/gdk.h>

#include <string>

#include "units/identifiers.hh"

namespace tributary::play {

/// Each link has a colour that it keeps, the same in its row, in the bar of shares and in the chart. Neighbours differ in
/// lightness, too, for those who see few colours.
GdkRGBA link_colour(LinkId link, bool dark);
/// The style class that gives a widget the link's colour.
std::string link_colour_class(LinkId link);
/// The style sheet with these classes.
std::string link_colour_styles(bool dark);

}  // namespace tributary::play
