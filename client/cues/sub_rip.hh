#pragma once

#include <string_view>
#include <vector>

#include "cues/cue.hh"

namespace tributary {

/// Whether a text looks like SubRip: times come soon.
bool looks_like_sub_rip(std::string_view text);

/// Reads SubRip (.srt), which has no specification: cues as those of WebVTT, with a comma before the milliseconds. Bold,
/// italic and underlined are kept, commands in braces ("{\an8}") are left out. A text that is not UTF-8 is
/// Windows-1252. Throws TextError beyond the bounds of cue.hh.
std::vector<Cue> read_sub_rip(std::string_view text);

}  // namespace tributary
