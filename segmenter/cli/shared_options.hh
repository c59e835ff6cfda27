#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/live/live_publication.hh"
#include "segmenter/publish/presentation_publication.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/subtitles/subtitle_reader.hh"
#include "units/session_clock.hh"

/// Options that several tasks have. Each function adds some to a task. Values must outlive the app.
namespace tributary::segmenter {

inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kPictureGroup = "Picture";
inline constexpr const char* kSoundGroup = "Sound and subtitles";
inline constexpr const char* kLayoutGroup = "Files";
inline constexpr const char* kLiveGroup = "Live window";

/// The folder of a presentation that is there.
void add_presentation(CLI::App& app, std::filesystem::path& presentation);
void declare_output(CLI::App& app, std::filesystem::path& output, ManifestChoice& manifests);
void declare_title(CLI::App& app, std::optional<std::string>& title);
/// How long segments are, and chunks within them.
void declare_cutting(CLI::App& app, Duration& segment, TrackLayout& layout);
void declare_subtitles(CLI::App& app, bool& source_subtitles, std::vector<SubtitleFile>& subtitles);
/// Options of a presentation that is complete when it appears.
void declare_layout(CLI::App& app, TrackLayout& layout, bool& thumbnails, Publication::Existing& existing);
/// Parts that are files of their own.
void declare_low_latency(CLI::App& app, Duration& part);
void declare_window(CLI::App& app, LiveWindowOptions& window, bool& repeat);

/// Throw UsageError.
void expect_output(const std::filesystem::path& output);
/// `segment`: duration of the segments.
void check_low_latency(Duration segment, const TrackLayout& layout);
void check_cutting(Duration segment, const TrackLayout& layout);

}  // namespace tributary::segmenter
