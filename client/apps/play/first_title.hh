#pragma once

#include "gst/source/feed_ahead.hh"
#include "player/play_options.hh"

namespace tributary::play {

/// A feed of the title that the command line names first, and that the window will open. It begins before there is a
/// window, which takes longer to make than manifest and first segment take to come. Titles of this computer, and later
/// ones, get their feed when they are opened.
OpenFeed begin_first_title(const PlayOptions& options);

}  // namespace tributary::play
