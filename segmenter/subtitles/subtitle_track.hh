#pragma once

#include <string>
#include <string_view>

#include "presentation/presentation.hh"
#include "segmenter/plan/segment_plan.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/subtitles/subtitle_reader.hh"

namespace tributary::segmenter {

inline constexpr std::string_view kSubtitlesName = "subtitles";

/// "subtitles", "subtitles-2" ...
std::string subtitles_id(std::size_t index);

/// A file of WebVTT with the cues that are shown within a stretch of time. A cue that reaches beyond the stretch keeps
/// its own times. Adds `shift` to all times.
std::string write_webvtt(const Subtitles& subtitles, Duration begin, Duration end, Duration shift);

/// Publishes subtitles in the segments of `pictures` pictures, and once as a whole. Returns the track for the index.
/// `offset`: ticks by which the picture is shown later than decoded; cues in segments are shifted by as much.
Track publish_subtitles(const Publication& publication, const std::string& id, const Subtitles& subtitles,
                        const SegmentPlan& plan, std::uint64_t pictures, std::int64_t offset);

}  // namespace tributary::segmenter
