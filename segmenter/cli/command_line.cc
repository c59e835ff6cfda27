#include "segmenter/cli/command_line.hh"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "command_line/choice.hh"
#include "command_line/introduction.hh"
#include "command_line/program_end.hh"
#include "units/text/plain_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOutputGroup = "Output";
constexpr const char* kPictureGroup = "Picture";
constexpr const char* kSoundGroup = "Sound and subtitles";
constexpr const char* kLayoutGroup = "Files";
constexpr const char* kLongGroup = "Long films, on several machines";
constexpr const char* kLiveGroup = "Live window";
constexpr const char* kSyntheticGroup = "Plain bytes, for benchmarks";
constexpr const char* kMessageGroup = "Messages";

constexpr const char* kPresentation = "The folder of the presentation.";

const Introduction kIntroduction{
    "Encodes a video into segments in several qualities. Any web server can serve the folder that comes of it, and any "
    "player of HLS or MPEG-DASH can play it.",
    "0 if all is well, 1 if the source cannot be read, 2 for a wrong command line, 3 if it cannot be encoded, 4 if the "
    "output cannot be written, 5 if check found something wrong, 130 after Ctrl-C.",
    {"tributary-segment film.mp4 -o /var/www/film",
     "tributary-segment film.mp4 -o film --ladder low=750k,high=3000k@1280x720"}};

CLI::Option* declare_output(CLI::App& app, CommandLine& line) {
  CLI::Option* const output =
      app.add_option("-o,--output", line.output, "Make the presentation in this folder.")->option_text("DIR");
  app.add_flag("--no-hls", line.no_hls, "Write no playlists for players of HLS.");
  app.add_flag("--no-dash", line.no_dash, "Write no manifest for players of MPEG-DASH.");
  app.add_flag("-q,--quiet", line.quiet, "Show no progress.");
  app.add_flag("--json", line.json, "Print progress and result as JSON, one object a line.");
  group(app, kOutputGroup, {"--output"});
  group(app, kLayoutGroup, {"--no-hls", "--no-dash"});
  group(app, kMessageGroup, {"--quiet", "--json"});
  return output;
}

void declare_title(CLI::App& app, CommandLine& line) {
  app.add_option("--title", line.title, "The title that players show; else that of the source.")
      ->option_text("TEXT")
      ->group(kOutputGroup);
}

void declare_segment(CLI::App& app, CommandLine& line) {
  app.add_option("--segment", line.segment, "Make segments of this duration.")
      ->capture_default_str()
      ->option_text("TIME");
  app.add_option("--chunk", line.chunk, "Divide segments into CMAF chunks of this duration, for low latency.")
      ->option_text("TIME");
  group(app, kLayoutGroup, {"--segment", "--chunk"});
}

void declare_subtitles(CLI::App& app, CommandLine& line) {
  app.add_option("--subtitles", line.subtitles,
                 "Add this file of subtitles. LANG is their language (de, pt-BR); ROLE is caption, forced-subtitle, "
                 "easyreader or commentary. Repeat the option for more.")
      ->allow_extra_args(false)
      ->option_text("FILE[:LANG][:ROLE]");
  app.add_flag("--no-subtitles", line.no_subtitles, "Leave out the subtitles that are in the source.");
  group(app, kSoundGroup, {"--subtitles", "--no-subtitles"});
}

/// Options of a presentation that is complete when it appears.
void declare_layout(CLI::App& app, CommandLine& line) {
  app.add_flag("--single-file", line.layout.single_file,
               "Write one file for each quality; segments are byte ranges of it.");
  app.add_flag("--frame-index", line.layout.frame_index,
               "Write a file for each quality that lists its I-, P- and B-frames.");
  app.add_flag("--no-thumbnails", line.no_thumbnails, "Make no small pictures for the seek bars of players.");
  app.add_flag("--force", line.force, "Replace a presentation that is in DIR.");
  group(app, kOutputGroup, {"--force"});
  group(app, kLayoutGroup, {"--single-file", "--frame-index", "--no-thumbnails"});
}

void declare_encoding(CLI::App& app, CommandLine& line) {
  declare_title(app, line);
  app.add_option(
         "--ladder", line.ladder,
         "Encode these qualities: NAME=RATE or NAME=RATE@WxH, with commas between. auto chooses them by the source.")
      ->capture_default_str()
      ->option_text("LADDER");
  declare_segment(app, line);
  allow_words(app.add_option("--codec", line.codec, "Encode the picture by this codec.")->capture_default_str(),
              video_codec_names());
  app.add_option("--encoder", line.encoder,
                 "Use this encoder of libavcodec instead of libx264, libx265 or libsvtav1, for example h264_nvenc.")
      ->option_text("NAME");
  app.add_option(
         "--preset", line.preset,
         fmt::format("Work this slowly; the slower, the better the picture: {}.", fmt::join(preset_names(), ", ")))
      ->default_str("veryfast")
      ->option_text("NAME");
  app.add_option("--max-frame-rate", line.max_frame_rate,
                 "Take every second or third picture of a source that has more than this many a second.")
      ->capture_default_str()
      ->check(CLI::Range(1, 240))
      ->option_text("N");
  allow_words(app.add_option("--rate-control", line.rate_control,
                             "Read RATE as the average (vbr; 2pass looks at all pictures first), or as the limit of a "
                             "constant quality (capped-crf).")
                  ->capture_default_str(),
              rate_control_names());
  app.add_option("--crf", line.crf, "Aim at this constant quality; a lower number is better.")
      ->default_str("23 for h264, 26 for hevc, 35 for av1")
      ->check(CLI::Range(0, 63))
      ->option_text("N");
  app.add_option("--audio", line.audio, "Encode the sound at this rate; none leaves it out.")
      ->capture_default_str()
      ->option_text("RATE");
  allow_words(
      app.add_option("--audio-codec", line.audio_codec, "Encode the sound by this codec.")->capture_default_str(),
      {"aac", "opus"});
  group(app, kPictureGroup,
        {"--ladder", "--codec", "--encoder", "--preset", "--max-frame-rate", "--rate-control", "--crf"});
  group(app, kSoundGroup, {"--audio", "--audio-codec"});
}

void declare_sections(CLI::App& app, CommandLine& line) {
  app.add_option("--section", line.section,
                 "Let encoders begin afresh after this time; an interrupted run goes on from there.")
      ->capture_default_str()
      ->option_text("TIME");
  app.add_option("--jobs", line.jobs, "Encode this many sections at once; 0 keeps all cores busy.")
      ->capture_default_str()
      ->check(CLI::Range(0, 256))
      ->option_text("N");
  app.add_option("--shard", line.shard, "Encode only the K-th of N shards, for --join.")->option_text("K/N");
  app.add_flag("--dry-run", line.dry_run, "Say what would be made, and write nothing.");
  app.add_option("--join", line.join, "Put these shards together, as one run would have made them.")
      ->option_text("DIR...");
  group(app, kLongGroup, {"--section", "--jobs", "--shard", "--dry-run", "--join"});
}

void declare_window(CLI::App& app, CommandLine& line) {
  app.add_flag("--loop", line.loop, "Start again at the end.");
  app.add_option("--window", line.window, "List the last N segments in manifests and index.")
      ->capture_default_str()
      ->check(CLI::Range(3, 1000000))
      ->option_text("N");
  app.add_option("--keep", line.keep, "Keep the files of N more segments for a while.")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  group(app, kLiveGroup, {"--loop", "--window", "--keep"});
}

CLI::App* declare_task(CLI::App& app, const char* name, CommandLine& line, CommandLine::Task task,
                       const Introduction& introduction) {
  CLI::App* const command = app.add_subcommand(name);
  introduce(*command, introduction);
  command->callback([&line, task] { line.task = task; });
  return command;
}

void declare_package(CLI::App& app, CommandLine& line) {
  CLI::App* const package = declare_task(app, "package", line, CommandLine::Task::kPackage,
                                         {"Cut files that are encoded already into segments, as they are.",
                                          "",
                                          {"tributary-segment package low.mp4 high.mp4 -o /var/www/film"}});
  package
      ->add_option("SOURCE", line.inputs,
                   "A file for each quality: FILE or NAME=FILE. The sound is in one of them, or in one of its own.")
      ->required();
  declare_output(*package, line);
  declare_title(*package, line);
  package
      ->add_flag("--encode-differing", line.encode_differing,
                 "Encode those files anew that have no key frames where the others have them.")
      ->group(kPictureGroup);
  declare_segment(*package, line);
  declare_layout(*package, line);
  allow_words(package->add_option("--audio", line.audio, "Take the sound as it is, or leave it out.")
                  ->default_str("copy")
                  ->group(kSoundGroup),
              {"copy", "none"});
  declare_subtitles(*package, line);
}

void declare_tasks(CLI::App& app, CommandLine& line) {
  CLI::App* const live = declare_task(app, "live", line, CommandLine::Task::kLive,
                                      {"Encode a source while it plays, until it ends or Ctrl-C ends it.",
                                       "",
                                       {"tributary-segment live camera.ts -o /var/www/live --loop"}});
  live->add_option("SOURCE", line.input,
                   "A file, - (MPEG-TS from standard input), udp://, srt:// or rtmp:// (listens), v4l2:DEVICE, "
                   "x11:DISPLAY or lavfi:GRAPH.")
      ->required();
  declare_output(*live, line);
  declare_encoding(*live, line);
  declare_window(*live, line);
  live->add_option("--reconnect", line.reconnect, "Wait this long for a source that went away; 0s ends at once.")
      ->capture_default_str()
      ->option_text("TIME")
      ->group(kLiveGroup);

  CLI::App* const replay = declare_task(app, "replay", line, CommandLine::Task::kReplay,
                                        {"Publish a prepared presentation in real time, without encoding.",
                                         "",
                                         {"tributary-segment replay film -o /var/www/live --loop"}});
  replay->add_option("DIR", line.input, kPresentation)->required();
  declare_output(*replay, line);
  declare_window(*replay, line);

  CLI::App* const check = declare_task(app, "check", line, CommandLine::Task::kCheck,
                                       {"Compare the files of a presentation with its index and manifests.",
                                        "",
                                        {"tributary-segment check /var/www/film --deep --source film.mp4"}});
  check->add_option("DIR", line.input, kPresentation)->required();
  check->add_flag("--deep", line.deep, "Decode everything as well.");
  check->add_option("--source", line.source, "With --deep, compare the pictures with this video.")
      ->needs("--deep")
      ->option_text("FILE");
  check->add_flag("-q,--quiet", line.quiet, "Print only what is wrong.");
  group(*check, "Check", {"--deep", "--source", "--quiet"});
}

Duration segment_duration(const CommandLine& line) {
  const Duration segment = read_words(parse_duration, line.segment);
  if (segment < 100ms || segment > 60s) {
    throw UsageError("--segment: a segment lasts from 100ms to 60s");
  }
  return segment;
}

std::optional<std::string> title(const CommandLine& line) {
  return line.title ? std::optional{as_one_line(*line.title)} : std::nullopt;
}

TrackLayout layout(const CommandLine& line) {
  TrackLayout layout = line.layout;
  if (line.chunk.empty()) return layout;
  layout.chunk = read_words(parse_duration, line.chunk);
  if (layout.chunk < 20ms || layout.chunk >= segment_duration(line))
    throw UsageError("--chunk: a chunk lasts 20ms or more, and less than a segment");
  return layout;
}

VideoEncoding video_encoding(const CommandLine& line) {
  VideoEncoding encoding{read_words(video_codec_from, line.codec), line.encoder, line.preset,
                         read_words(rate_control_from, line.rate_control), line.crf};
  if (line.crf && encoding.rate_control != RateControl::kCappedCrf)
    throw UsageError("--crf: goes with --rate-control capped-crf");
  const auto& presets = preset_names();
  const bool is_known = line.preset.empty() || std::find(presets.begin(), presets.end(), line.preset) != presets.end();
  if (!is_known && is_usual_encoder(encoding)) {
    throw UsageError(fmt::format("--preset: \"{}\" is not one of {}", line.preset, fmt::join(presets, ", ")));
  }
  return encoding;
}

std::optional<SoundEncoding> sound_encoding(const CommandLine& line) {
  if (line.audio == "none") return std::nullopt;
  const DataRate rate = read_words(parse_rate, line.audio);
  if (rate.bits_per_second() < 16e3 || rate.bits_per_second() > 512e3)
    throw UsageError("--audio: the rate is from 16k to 512k, or none");
  return SoundEncoding{line.audio_codec == "opus" ? SoundCodec::kOpus : SoundCodec::kAac, rate};
}

LiveWindowOptions window_options(const CommandLine& line) {
  return {line.window, line.keep, {!line.no_hls, !line.no_dash}};
}

}  // namespace

void declare(CLI::App& app, CommandLine& line) {
  introduce(app, kIntroduction);
  CLI::Option* const input = app.add_option("FILE", line.input, "The video to encode; - is standard input.");
  CLI::Option* const output = declare_output(app, line);
  declare_encoding(app, line);
  allow_words(app.add_option("--audio-tracks", line.audio_tracks,
                             "Take the best sound of the source, or all of them (languages, comments).")
                  ->capture_default_str(),
              {"best", "all"});
  declare_sections(app, line);
  declare_subtitles(app, line);
  app.add_option("--quality", line.metrics,
                 "Measure for each segment how like its source the picture is: psnr, ssim or psnr,ssim.")
      ->option_text("METRICS");
  app.add_option("--synthetic", line.synthetic,
                 "Write plain bytes instead of encoding. SIZES is a JSON file of sizes, or thesis[:SEED].")
      ->option_text("SIZES");
  app.add_flag("--index-only", line.index_only, "With --synthetic, write the index and no bytes, for simulations.")
      ->needs("--synthetic");
  app.add_option("--segments", line.segments, "With --synthetic thesis, write this many segments, 10 or more.")
      ->needs("--synthetic")
      ->capture_default_str()
      ->check(CLI::Range(10, 1000000))
      ->option_text("N");
  declare_layout(app, line);
  group(app, kSoundGroup, {"--audio-tracks"});
  group(app, kPictureGroup, {"--quality"});
  group(app, kSyntheticGroup, {"--synthetic", "--index-only", "--segments"});
  app.require_subcommand(0, 1);
  declare_package(app, line);
  declare_tasks(app, line);
  for (CLI::App* const task : app.get_subcommands({})) task->excludes(input)->excludes(output);
  add_version(app, TRIBUTARY_VERSION);
}

void refuse_contradictions(const CLI::App& app) {
  for (const std::string form : {"--synthetic", "--join"}) {
    if (app.count(form) == 0) continue;
    for (const CLI::Option* const option : app.get_options()) {
      const std::string name = option->get_name();
      const std::string& of = option->get_group();
      const bool layout = of == kLayoutGroup && (form == "--join" || name != "--single-file");
      const bool title = name == "--title";
      if (option->count() > 0 && name != form &&
          (of == kPictureGroup || of == kSoundGroup || of == kLongGroup || layout || title))
        throw UsageError(fmt::format("{}: says nothing beside {}", name, form));
    }
  }
}

Publication::Existing existing(const CommandLine& line) {
  return line.force ? Publication::Existing::kReplace : Publication::Existing::kRefuse;
}

EncodeOptions encode_options(const CommandLine& line) {
  EncodeOptions options;
  options.input = line.input;
  options.output = line.output;
  options.title = title(line);
  if (line.ladder != "auto") options.ladder = read_words(parse_ladder, line.ladder);
  options.segment = segment_duration(line);
  options.fastest = line.max_frame_rate;
  options.video = video_encoding(line);
  if (options.video.rate_control == RateControl::kTwoPass && line.input == "-")
    throw UsageError("--rate-control 2pass: reads its input twice, which standard input cannot be");
  options.audio = sound_encoding(line);
  if (line.metrics) options.metrics = read_words(parse_metrics, *line.metrics);
  options.source_subtitles = !line.no_subtitles;
  for (const std::string& text : line.subtitles) options.subtitles.push_back(read_words(parse_subtitle_file, text));
  options.all_sounds = line.audio_tracks == "all";
  options.manifests = {!line.no_hls, !line.no_dash};
  options.thumbnails = !line.no_thumbnails;
  options.layout = layout(line);
  if (options.layout.frame_index && options.video.codec != VideoCodec::kH264)
    throw UsageError("--frame-index: kinds of frames are known of H.264 only");
  options.existing = existing(line);
  options.section = read_words(parse_duration, line.section);
  if (options.section < options.segment || options.section > 24h)
    throw UsageError("--section: a section lasts from one segment to 24h");
  if (!line.shard.empty()) options.shard = read_words(parse_shard, line.shard);
  options.jobs = line.jobs;
  if (options.video.rate_control == RateControl::kTwoPass) {
    if (options.shard)
      throw UsageError("--shard: --rate-control 2pass needs all of the film, and makes it in one piece");
    options.section = kUndivided;
  }
  return options;
}

JoinOptions join_options(const CommandLine& line) {
  return {{line.join.begin(), line.join.end()}, line.output, existing(line)};
}

PackageOptions package_options(const CommandLine& line) {
  PackageOptions options;
  for (const std::string& text : line.inputs) {
    PackageInput input = read_words(parse_package_input, text);
    for (const PackageInput& other : options.inputs) {
      if (other.name == input.name)
        throw UsageError(fmt::format("two files are called {}: name one of them as NAME={}", input.name, input.path));
    }
    if (line.encode_differing && input.path == "-")
      throw UsageError("--encode-differing: reads the files twice, which standard input cannot be");
    options.inputs.push_back(std::move(input));
  }
  options.encode_differing = line.encode_differing;
  options.output = line.output;
  options.title = title(line);
  options.segment = segment_duration(line);
  options.sound = line.audio != "none";
  options.source_subtitles = !line.no_subtitles;
  for (const std::string& text : line.subtitles) options.subtitles.push_back(read_words(parse_subtitle_file, text));
  options.manifests = {!line.no_hls, !line.no_dash};
  options.thumbnails = !line.no_thumbnails;
  options.layout = layout(line);
  options.existing = existing(line);
  return options;
}

LiveOptions live_options(const CommandLine& line) {
  std::error_code error;
  if (line.loop && !std::filesystem::is_regular_file(line.input, error))
    throw UsageError(fmt::format("--loop: {} is no file", line.input));
  const EncodeOptions encode = encode_options(line);
  const Duration reconnect = read_words(parse_duration, line.reconnect);
  // Live, pictures may be left out; encoders of AV1 begin groups by counting the pictures that they get.
  if (encode.video.codec == VideoCodec::kAv1)
    throw UsageError(
        "--codec av1: not live, where pictures may be left out and its encoder would lose count; use h264 or hevc");
  if (encode.video.rate_control == RateControl::kTwoPass)
    throw UsageError("--rate-control: live, it is vbr or capped-crf");
  return {.input = encode.input,
          .repeat = line.loop,
          .output = encode.output,
          .title = encode.title,
          .ladder = encode.ladder,
          .segment = encode.segment,
          .fastest = encode.fastest,
          .video = encode.video,
          .audio = encode.audio,
          .window = window_options(line),
          .layout = encode.layout,
          .reconnect = reconnect};
}

DeepCheck deep_check(const CommandLine& line) {
  return {line.deep, line.source.empty() ? std::nullopt : std::optional{line.source}};
}

ReplayOptions replay_options(const CommandLine& line) {
  return {line.input, line.loop, line.output, window_options(line)};
}

}  // namespace tributary::segmenter
