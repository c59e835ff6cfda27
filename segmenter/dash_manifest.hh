#pragma once

#include <string>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The presentation for players of MPEG-DASH (ISO/IEC 23009-1): one period, an adaptation set for each group of
/// tracks, and their timeline in ticks. It starts at zero, although all timestamps are shifted (`offset`). It must
/// have a picture.
std::string write_dash_manifest(const Presentation& presentation);

/// What it lasts, in milliseconds: as long as the picture.
std::int64_t presentation_milliseconds(const Presentation& presentation);

}  // namespace tributary::segmenter
