#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cues/cue.hh"

namespace tributary {

/// Reads texts in fragmented MP4 (ISO/IEC 14496-30): samples of WebVTT (`wvtt`) or TTML (`stpp`). Times are those of the
/// media. A cue of WebVTT lasts as long as its sample; cues of TTML have times of their own. `init`: the init segment, or
/// nothing if it is at the beginning of `content`. Samples in front of a fault are read. Throws TextError if there is
/// none, and for other samples.
std::vector<Cue> read_text_fragments(std::span<const std::byte> content, std::span<const std::byte> init);

}  // namespace tributary
