#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/check/deep_check.hh"
#include "segmenter/encode/join_job.hh"
#include "segmenter/live/live_job.hh"
#include "segmenter/live/replay_job.hh"
#include "segmenter/package/package_job.hh"
#include "segmenter/synthetic/synthetic_movie.hh"

namespace tributary::segmenter {

/// The words of the user. The functions below turn them into options.
struct CommandLine {
  enum class Task { kPrepare, kPackage, kLive, kReplay, kCheck };

  Task task = Task::kPrepare;
  std::string input, output;
  std::vector<std::string> inputs;  // to package
  bool encode_differing = false;    // of those
  std::optional<std::string> title;
  std::string ladder = "low=750k,medium=1300k,high=2150k,super=3000k";
  std::string segment = "2s";
  int max_frame_rate = kUsualFastest;
  std::string chunk;  // empty: none
  std::string codec = "h264";
  std::string encoder;
  std::string preset;
  std::string rate_control = "vbr";
  std::optional<int> crf;
  std::string audio = "128k";
  std::string audio_codec = "aac";
  std::string audio_tracks = "best";
  std::vector<std::string> subtitles;
  bool no_subtitles = false;
  std::optional<std::string> metrics;
  std::string synthetic;
  bool index_only = false;  // of the synthetic movie
  std::size_t segments = kThesisSegments;
  std::string section = "60s";
  std::string shard;
  std::vector<std::string> join;
  int jobs = 0;
  std::uint32_t window = 30, keep = 10;
  bool loop = false;
  std::string reconnect = "10min";
  TrackLayout layout;
  bool no_hls = false, no_dash = false, no_thumbnails = false, force = false, quiet = false;
  bool dry_run = false, json = false;
  bool deep = false;   // check
  std::string source;  // check
};

void declare(CLI::App& app, CommandLine& line);
/// To be called after parsing. Throws UsageError that names an option without a meaning beside --synthetic
/// or --join.
void refuse_contradictions(const CLI::App& app);

/// Each throws UsageError that names the wrong option.
EncodeOptions encode_options(const CommandLine& line);
JoinOptions join_options(const CommandLine& line);
PackageOptions package_options(const CommandLine& line);
LiveOptions live_options(const CommandLine& line);
ReplayOptions replay_options(const CommandLine& line);
DeepCheck deep_check(const CommandLine& line);
Publication::Existing existing(const CommandLine& line);

}  // namespace tributary::segmenter
