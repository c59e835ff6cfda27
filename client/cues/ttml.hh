#pragma once

#include <string_view>
#include <vector>

#include "cues/cue.hh"

namespace tributary {

/// Reads a document of TTML, as IMSC 1 and EBU-TT-D have it (W3C, Timed Text Markup Language 1): paragraphs and spans
/// with their times, line breaks, blanks, and italic, bold, underlined and coloured text. Places on the screen, pictures
/// and animation are passed over. Cues come in the order of the document. Throws TextError, also for times of a clock.
std::vector<Cue> read_ttml(std::string_view document);

}  // namespace tributary
