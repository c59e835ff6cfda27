#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Quarter turns clockwise that show the stream upright, 0 to 3 (telephones store pictures lying on their side).
int quarter_turns_of(const AVStream& stream);

}  // namespace tributary::segmenter
