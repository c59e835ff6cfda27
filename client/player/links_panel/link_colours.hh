#pragma once

#include <gdk/gdk.h>

#include <string>

#include "units/identifiers.hh"

namespace tributary::play {

/// The lasting colour of a link, the same in its row, in the bar of shares and in the chart. Neighbours also differ in
/// lightness, for users who see few colours.
GdkRGBA link_colour(LinkId link, bool dark);
/// The style class that gives a widget the link's colour.
std::string link_colour_class(LinkId link);
/// The style sheet with the classes of all colours.
std::string link_colour_styles(bool dark);

}  // namespace tributary::play
