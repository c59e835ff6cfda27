#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "presentation/track_role.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// A text that is shown for a while, as the body of a cue of WebVTT.
struct SubtitleCue {
  Duration begin{}, end{};  // from the first picture on
  std::string text;

  bool operator==(const SubtitleCue&) const = default;
};

struct Subtitles {
  TrackLabel label;
  std::vector<SubtitleCue> cues;  // in the order of their beginnings
  std::string remark;             // what had to be guessed, in a sentence; empty if nothing
};

/// A file of subtitles beside the video.
struct SubtitleFile {
  std::string path;
  TrackLabel label;  // what is empty is as the file says
};

/// FILE, FILE:LANGUAGE or FILE:LANGUAGE:ROLE, such as "forced-subtitle"; a file that has the whole name is meant as it is.
/// Throws std::invalid_argument where what follows the name of a file is no language.
SubtitleFile parse_subtitle_file(const std::string& text);

/// All subtitles of the video that are text, what libavcodec cannot read left out. Text that is not UTF-8 is taken for
/// Windows-1252. What is read but once, such as "-", gives none.
std::vector<Subtitles> read_subtitles_of(const std::string& video, const std::atomic<bool>& interrupted);
/// Those of a file of their own. Throws Failure (input) that names the file and the time of what cannot be read.
Subtitles read_subtitles(const SubtitleFile& file, const std::atomic<bool>& interrupted);

/// Text as libavcodec writes it for WebVTT, so that nothing in it ends the cue or is taken for markup (WebVTT section
/// 4.2.2); b, i and u stay.
std::string cue_text(const std::string& text);

}  // namespace tributary::segmenter
