#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cues/cue.hh"

namespace tributary {

struct WebVtt {
  std::vector<Cue> cues;  // in the order of the text
  /// X-TIMESTAMP-MAP (RFC 8216 section 3.5): the time of MPEG-2 media at which cues have the time 0, from 0 to 2^33
  /// ticks of 90 kHz less LOCAL. Nothing: there is none.
  std::optional<Duration> zero;
};

/// Reads a file of WebVTT (W3C, section 6). Regions, styles, comments and places on the screen are passed over; a block
/// that cannot be read is left out. Throws TextError for a text that is none, and beyond the bounds of cue.hh.
WebVtt read_web_vtt(std::string_view text);

/// Cues as WebVTT and SubRip have them: a line with their times, and their text up to an empty line. Other lines are passed
/// over. `markup_of` makes the markup of a cue of its text. Throws TextError beyond the bounds of cue.hh.
std::vector<Cue> read_cue_blocks(std::string_view text, std::string (*markup_of)(std::string_view cue_text));

/// The text of one cue, as it stands below its times, in markup of Pango. Bold, italic, underlined, and the classes of
/// colours are kept (section 6.4).
std::string cue_markup(std::string_view cue_text);

/// "01:02:03.004", "02:03.004". Nothing for another text.
std::optional<Duration> web_vtt_time(std::string_view text);

}  // namespace tributary
