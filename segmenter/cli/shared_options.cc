#include "segmenter/cli/shared_options.hh"

#include "command_line/introduction.hh"
#include "command_line/program_end.hh"
#include "command_line/read_option.hh"
#include "units/text/plain_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

Duration read_segment(const std::string& text) {
  const Duration segment = parse_duration(text);
  if (segment < 100ms || segment > 60s) throw std::invalid_argument("a segment lasts from 100ms to 60s");
  return segment;
}

Duration read_chunk(const std::string& text) {
  const Duration chunk = parse_duration(text);
  if (chunk < 20ms) throw std::invalid_argument("a chunk lasts 20ms or more");
  return chunk;
}

Duration read_part(const std::string& text) {
  const Duration part = parse_duration(text);
  // Shorter ones of sound, whose frames last 21 ms, would be too unlike for players.
  if (part < 200ms) throw std::invalid_argument("a part lasts 200ms or more");
  return part;
}

std::filesystem::path read_path(const std::string& text) { return text; }

/// A flag that switches off what is usual.
CLI::Option* add_without(CLI::App& app, const char* name, bool& usual, const char* help) {
  return app.add_flag_callback(
      name, [&usual] { usual = false; }, help);
}

}  // namespace

void add_presentation(CLI::App& app, std::filesystem::path& presentation) {
  add_read(app, "DIR", presentation, read_path, "The folder of the presentation.")->option_text("")->required();
}

void declare_output(CLI::App& app, std::filesystem::path& output, ManifestChoice& manifests) {
  add_read(app, "-o,--output", output, read_path, "Make the presentation in this folder.")->option_text("DIR");
  add_without(app, "--no-hls", manifests.hls, "Write no playlists for players of HLS.");
  add_without(app, "--no-dash", manifests.dash, "Write no manifest for players of MPEG-DASH.");
  group(app, kOutputGroup, {"--output"});
  group(app, kLayoutGroup, {"--no-hls", "--no-dash"});
}

void declare_title(CLI::App& app, std::optional<std::string>& title) {
  const auto read = [](const std::string& text) { return as_one_line(text); };
  add_read(app, "--title", title, read, "The title that players show; else that of the source.")->group(kOutputGroup);
}

void declare_cutting(CLI::App& app, Duration& segment, TrackLayout& layout) {
  add_read(app, "--segment", segment, read_segment, "Make segments of this duration.")
      ->default_str("2s")
      ->option_text("TIME");
  add_read(app, "--chunk", layout.chunk, read_chunk,
           "Divide segments into CMAF chunks of this duration, for low latency.")
      ->option_text("TIME");
  group(app, kLayoutGroup, {"--segment", "--chunk"});
}

void declare_subtitles(CLI::App& app, bool& source_subtitles, std::vector<SubtitleFile>& subtitles) {
  add_each(app, "--subtitles", subtitles, parse_subtitle_file,
           "Add this file of subtitles. LANG is their language (de, pt-BR); ROLE is caption, forced-subtitle, "
           "easyreader or commentary. Repeat the option for more.")
      ->allow_extra_args(false)
      ->option_text("FILE[:LANG][:ROLE]");
  add_without(app, "--no-subtitles", source_subtitles, "Leave out the subtitles that are in the source.");
  group(app, kSoundGroup, {"--subtitles", "--no-subtitles"});
}

void declare_layout(CLI::App& app, TrackLayout& layout, bool& thumbnails, Publication::Existing& existing) {
  app.add_flag("--single-file", layout.single_file, "Write one file for each quality; segments are byte ranges of it.");
  app.add_flag("--frame-index", layout.frame_index,
               "Write a file for each quality that lists its I-, P- and B-frames.");
  add_without(app, "--no-thumbnails", thumbnails, "Make no small pictures for the seek bars of players.");
  app.add_flag_callback(
      "--force", [&existing] { existing = Publication::Existing::kReplace; }, "Replace a presentation that is in DIR.");
  group(app, kOutputGroup, {"--force"});
  group(app, kLayoutGroup, {"--single-file", "--frame-index", "--no-thumbnails"});
}

void declare_window(CLI::App& app, LiveWindowOptions& window, bool& repeat) {
  app.add_flag("--loop", repeat, "Start again at the end.");
  app.add_option("--window", window.segments, "List the last N segments in manifests and index.")
      ->capture_default_str()
      ->check(CLI::Range(3, 1000000))
      ->option_text("N");
  app.add_option("--keep", window.kept, "Keep the files of N more segments for a while.")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  group(app, kLiveGroup, {"--loop", "--window", "--keep"});
}

void declare_low_latency(CLI::App& app, Duration& part) {
  const std::string help =
      "Publish each segment in parts while it is made, of up to 500ms each, or as long as --low-latency=TIME says.";
  // A flag, so that the word behind it is no value.
  const auto read = [&part](const std::string& text) -> std::string {
    try {
      part = read_part(text);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  app.add_flag("--low-latency{500ms}", help)->check(read);
  group(app, kLiveGroup, {"--low-latency"});
}

void check_low_latency(Duration segment, const TrackLayout& layout) {
  if (layout.part >= segment) throw UsageError("--low-latency: a part is shorter than a segment");
  if (layout.part > Duration{} && layout.chunk > Duration{})
    throw UsageError("--chunk: says nothing beside --low-latency, where each part is a chunk");
}

void expect_output(const std::filesystem::path& output) {
  if (output.empty()) throw UsageError("--output is missing: the directory for the presentation");
}

void check_cutting(Duration segment, const TrackLayout& layout) {
  if (layout.chunk >= segment) throw UsageError("--chunk: a chunk is shorter than a segment");
}

}  // namespace tributary::segmenter
