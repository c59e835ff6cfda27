#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Quarter turns clockwise, 0 to 3, that show the stream upright. Telephones store pictures lying on their side.
int quarter_turns_of(const AVStream& stream);

}  // namespace tributary::segmenter
