#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "presentation/track_role.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// A text and its time, in the form of a cue of WebVTT.
struct SubtitleCue {
  Duration begin{}, end{};  // from the first picture on
  std::string text;

  bool operator==(const SubtitleCue&) const = default;
};

struct Subtitles {
  TrackLabel label;
  std::vector<SubtitleCue> cues;  // in the order of their beginnings
  std::string remark;             // a sentence about a guess; empty: none was needed
};

/// A file of subtitles beside the video.
struct SubtitleFile {
  std::string path;
  TrackLabel label;  // empty members are as in the file
};

/// Reads FILE, FILE:LANGUAGE or FILE:LANGUAGE:ROLE, with a role such as "forced-subtitle". If a file has the whole text
/// as its name, that file is meant. Throws std::invalid_argument if the text behind the name of a file is no language.
SubtitleFile parse_subtitle_file(const std::string& text);

/// All subtitles of the video that are text, without those that libavcodec cannot read. Text that is not UTF-8 is taken
/// for Windows-1252. Input that can be read only once, such as "-", gives none.
std::vector<Subtitles> read_subtitles_of(const std::string& video, const std::atomic<bool>& interrupted);
/// The subtitles of a file of their own. Throws Failure (input) that names the file, and the time of a text that cannot
/// be read.
Subtitles read_subtitles(const SubtitleFile& file, const std::atomic<bool>& interrupted);

/// Turns text in libavcodec's form into the text of a cue. Nothing in the result ends the cue or counts as markup
/// (WebVTT section 4.2.2), except for b, i and u.
std::string cue_text(const std::string& text);

}  // namespace tributary::segmenter
