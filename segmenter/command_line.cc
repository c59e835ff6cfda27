#include "segmenter/command_line.hh"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "units/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

constexpr const char* kPictureGroup = "Picture";
constexpr const char* kSoundGroup = "Sound and subtitles";
constexpr const char* kLayoutGroup = "Files";
constexpr const char* kLongGroup = "Long films, on several machines";
constexpr const char* kSyntheticGroup = "Plain bytes, for benchmarks";

void group(CLI::App& app, const char* title, std::initializer_list<const char*> names) {
  for (const char* const name : names) app.get_option(name)->group(title);
}

CLI::Option* declare_output(CLI::App& app, CommandLine& line) {
  CLI::Option* const output =
      app.add_option("-o,--output", line.output, "directory for the presentation")->type_name("DIR");
  app.add_flag("--no-hls", line.no_hls, "no playlists for players of HLS");
  app.add_flag("--no-dash", line.no_dash, "no manifest for players of MPEG-DASH");
  app.add_flag("-q,--quiet", line.quiet, "no progress");
  app.add_flag("--json", line.json, "say what happens in JSON on standard output, one object a line");
  group(app, kLayoutGroup, {"--no-hls", "--no-dash"});
  return output;
}

void declare_segment(CLI::App& app, CommandLine& line) {
  app.add_option("--segment", line.segment, "duration of a segment")->capture_default_str()->type_name("TIME");
  app.add_option("--chunk", line.chunk, "CMAF chunks of that duration within the segments, for low latency")
      ->type_name("TIME");
  group(app, kLayoutGroup, {"--segment", "--chunk"});
}

void declare_subtitles(CLI::App& app, CommandLine& line) {
  app.add_option("--subtitles", line.subtitles,
                 "a file of subtitles beside the video, their language (de, pt-BR), and what they are for: caption, "
                 "forced-subtitle, easyreader, commentary")
      ->allow_extra_args(false)
      ->type_name("FILE[:LANG][:ROLE]");
  app.add_flag("--no-subtitles", line.no_subtitles, "leave out the subtitles that are in the video");
}

/// Of a presentation that is complete when it appears.
void declare_layout(CLI::App& app, CommandLine& line) {
  app.add_flag("--single-file", line.layout.single_file,
               "one file for each quality, of which segments are byte ranges");
  app.add_flag("--frame-index", line.layout.frame_index,
               "a file for each quality that says where its I-, P- and B-frames are");
  app.add_flag("--force", line.force, "replace a presentation in DIR");
  group(app, kLayoutGroup, {"--single-file", "--frame-index"});
}

void declare_encoding(CLI::App& app, CommandLine& line) {
  app.add_option("--ladder", line.ladder,
                 "qualities: NAME=RATE or NAME=RATE@WxH, with commas between; auto: as suits the source")
      ->capture_default_str()
      ->type_name("LADDER");
  declare_segment(app, line);
  app.add_option("--codec", line.codec, "codec of the picture")
      ->capture_default_str()
      ->check(CLI::IsMember(video_codec_names()))
      ->type_name("NAME");
  app.add_option("--encoder", line.encoder,
                 "encoder of libavcodec instead of libx264, libx265 or libsvtav1: h264_nvenc, for example")
      ->type_name("NAME");
  app.add_option("--preset", line.preset,
                 fmt::format("the slower, the better the picture: {}", fmt::join(preset_names(), ", ")))
      ->default_str("veryfast")
      ->type_name("NAME");
  app.add_option("--max-frame-rate", line.max_frame_rate,
                 "pictures a second at the most: of a source that has more, every second or third is taken")
      ->capture_default_str()
      ->check(CLI::Range(1, 240))
      ->type_name("N");
  app.add_option("--rate-control", line.rate_control,
                 "what RATE is: the average (vbr; 2pass: after a look at all pictures), or a limit to a "
                 "constant quality")
      ->capture_default_str()
      ->check(CLI::IsMember(rate_control_names()))
      ->type_name("NAME");
  app.add_option("--crf", line.crf,
                 "that quality, in the words of the encoder: the lower, the better (h264 23, hevc 26, av1 35)")
      ->check(CLI::Range(0, 63))
      ->type_name("N");
  app.add_option("--audio", line.audio, "rate of the sound, or none")->capture_default_str()->type_name("RATE");
  app.add_option("--audio-codec", line.audio_codec, "codec of the sound")
      ->capture_default_str()
      ->check(CLI::IsMember({"aac", "opus"}))
      ->type_name("NAME");
  group(app, kPictureGroup,
        {"--ladder", "--codec", "--encoder", "--preset", "--max-frame-rate", "--rate-control", "--crf"});
  group(app, kSoundGroup, {"--audio", "--audio-codec"});
}

void declare_sections(CLI::App& app, CommandLine& line) {
  app.add_option("--section", line.section, "encoders begin afresh so often; what is interrupted goes on there")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--jobs", line.jobs, "sections to encode at the same time; 0: as many as keep the cores busy")
      ->capture_default_str()
      ->check(CLI::Range(0, 256))
      ->type_name("N");
  app.add_option("--part", line.part, "encode only the K-th of N parts, for --join")->type_name("K/N");
  app.add_flag("--dry-run", line.dry_run, "say what would be made, and write nothing");
  app.add_option("--join", line.join, "put parts together to what one run would have made")->type_name("DIR");
  group(app, kLongGroup, {"--section", "--jobs", "--part", "--dry-run", "--join"});
}

void declare_window(CLI::App& app, CommandLine& line) {
  app.add_flag("--loop", line.loop, "start again at the end");
  app.add_option("--window", line.window, "segments that manifests and index list")
      ->capture_default_str()
      ->check(CLI::Range(3, 1000000))
      ->type_name("N");
  app.add_option("--keep", line.keep, "segments that are kept as files for a while after that")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
}

void declare_package(CLI::App& app, CommandLine& line) {
  CLI::App* const package = app.add_subcommand(
      "package", "cut files that are encoded already, one for each quality, without encoding them again");
  package
      ->add_option("inputs", line.inputs,
                   "files to cut: FILE or NAME=FILE; the sound may be in one of them or in one of its own")
      ->required()
      ->type_name("FILES");
  declare_output(*package, line);
  declare_segment(*package, line);
  declare_layout(*package, line);
  package->add_option("--audio", line.audio, "copy, or none")
      ->default_str("copy")
      ->check(CLI::IsMember({"copy", "none"}))
      ->type_name("WHAT");
  declare_subtitles(*package, line);
  package->callback([&line] { line.task = CommandLine::Task::kPackage; });
}

void declare_tasks(CLI::App& app, CommandLine& line) {
  CLI::App* const live = app.add_subcommand("live", "encode a source while it plays, until it ends or Ctrl-C ends it");
  live->add_option("input", line.input,
                   "a file; \"-\": MPEG-TS from standard input; udp://, srt:// or (listening) rtmp://; "
                   "v4l2:DEVICE, x11:DISPLAY, lavfi:GRAPH")
      ->required();
  declare_output(*live, line);
  declare_encoding(*live, line);
  declare_window(*live, line);
  live->add_option("--reconnect", line.reconnect, "wait so long for a source that has gone away; 0s: not at all")
      ->capture_default_str()
      ->type_name("TIME");
  live->callback([&line] { line.task = CommandLine::Task::kLive; });

  CLI::App* const replay =
      app.add_subcommand("replay", "publish a prepared presentation in real time, without encoding");
  replay->add_option("directory", line.input, "what was made with -o")->required()->type_name("DIR");
  declare_output(*replay, line);
  declare_window(*replay, line);
  replay->callback([&line] { line.task = CommandLine::Task::kReplay; });

  CLI::App* const check =
      app.add_subcommand("check", "compare the files of a presentation with its index and manifests");
  check->add_option("directory", line.input, "what was made with -o")->required()->type_name("DIR");
  check->add_flag("--deep", line.deep, "decode everything, too");
  check->add_option("--source", line.source, "compare what is decoded with the video that it was made of")
      ->needs("--deep")
      ->type_name("FILE");
  check->add_flag("-q,--quiet", line.quiet, "nothing but what is wrong");
  check->callback([&line] { line.task = CommandLine::Task::kCheck; });
}

Duration segment_duration(const CommandLine& line) {
  const Duration segment = parse_duration(line.segment);
  if (segment < 100ms || segment > 60s) {
    throw std::invalid_argument("--segment: a segment lasts from 100ms to 60s");
  }
  return segment;
}

TrackLayout layout(const CommandLine& line) {
  TrackLayout layout = line.layout;
  if (line.chunk.empty()) return layout;
  layout.chunk = parse_duration(line.chunk);
  if (layout.chunk < 20ms || layout.chunk >= segment_duration(line))
    throw std::invalid_argument("--chunk: a chunk lasts 20ms or more, and less than a segment");
  return layout;
}

VideoEncoding video_encoding(const CommandLine& line) {
  VideoEncoding encoding{video_codec_from(line.codec), line.encoder, line.preset, rate_control_from(line.rate_control),
                         line.crf};
  if (line.crf && encoding.rate_control != RateControl::kCappedCrf)
    throw std::invalid_argument("--crf: goes with --rate-control capped-crf");
  const auto& presets = preset_names();
  const bool is_known = line.preset.empty() || std::find(presets.begin(), presets.end(), line.preset) != presets.end();
  if (!is_known && is_usual_encoder(encoding)) {
    throw std::invalid_argument(
        fmt::format("--preset: \"{}\" is not one of {}", line.preset, fmt::join(presets, ", ")));
  }
  return encoding;
}

std::optional<SoundEncoding> sound_encoding(const CommandLine& line) {
  if (line.audio == "none") return std::nullopt;
  const DataRate rate = parse_rate(line.audio);
  if (rate.bits_per_second() < 16e3 || rate.bits_per_second() > 512e3)
    throw std::invalid_argument("--audio: the rate is from 16k to 512k, or none");
  return SoundEncoding{line.audio_codec == "opus" ? SoundCodec::kOpus : SoundCodec::kAac, rate};
}

LiveWindowOptions window_options(const CommandLine& line) {
  return {line.window, line.keep, {!line.no_hls, !line.no_dash}};
}

}  // namespace

void declare(CLI::App& app, CommandLine& line) {
  CLI::Option* const input = app.add_option("input", line.input, "video file to encode; \"-\" reads standard input");
  CLI::Option* const output = declare_output(app, line);
  declare_encoding(app, line);
  app.add_option("--audio-tracks", line.audio_tracks, "the best sound of the source, or all (languages, comments)")
      ->capture_default_str()
      ->check(CLI::IsMember({"best", "all"}))
      ->type_name("WHICH");
  declare_sections(app, line);
  declare_subtitles(app, line);
  app.add_option("--quality", line.metrics,
                 "measure how like its source the picture is in each segment: psnr, ssim or psnr,ssim")
      ->type_name("METRICS");
  app.add_option("--synthetic", line.synthetic,
                 "write plain bytes of given sizes instead of encoding: a JSON file of sizes, or thesis[:SEED]")
      ->type_name("SIZES");
  app.add_flag("--index-only", line.index_only,
               "of a synthetic presentation, write the index and no bytes: for simulations")
      ->needs("--synthetic");
  app.add_option("--segments", line.segments, "number of segments of the synthetic thesis movie, 10 or more")
      ->needs("--synthetic")
      ->capture_default_str()
      ->check(CLI::Range(10, 1000000))
      ->type_name("N");
  declare_layout(app, line);
  group(app, kSoundGroup, {"--audio-tracks", "--subtitles", "--no-subtitles"});
  group(app, kPictureGroup, {"--quality"});
  group(app, kSyntheticGroup, {"--synthetic", "--index-only", "--segments"});
  app.require_subcommand(0, 1);
  declare_package(app, line);
  declare_tasks(app, line);
  for (CLI::App* const task : app.get_subcommands({})) task->excludes(input)->excludes(output);
  app.set_version_flag("--version", "tributary-segment " TRIBUTARY_VERSION);
}

void refuse_contradictions(const CLI::App& app) {
  for (const std::string form : {"--synthetic", "--join"}) {
    if (app.count(form) == 0) continue;
    for (const CLI::Option* const option : app.get_options()) {
      const std::string name = option->get_name();
      const std::string& of = option->get_group();
      const bool layout = of == kLayoutGroup && (form == "--join" || name != "--single-file");
      if (option->count() > 0 && name != form &&
          (of == kPictureGroup || of == kSoundGroup || of == kLongGroup || layout))
        throw std::invalid_argument(fmt::format("{}: says nothing beside {}", name, form));
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
  if (line.ladder != "auto") options.ladder = parse_ladder(line.ladder);
  options.segment = segment_duration(line);
  options.fastest = line.max_frame_rate;
  options.video = video_encoding(line);
  if (options.video.rate_control == RateControl::kTwoPass && line.input == "-")
    throw std::invalid_argument("--rate-control 2pass: reads its input twice, which standard input cannot be");
  options.audio = sound_encoding(line);
  if (line.metrics) options.metrics = parse_metrics(*line.metrics);
  options.source_subtitles = !line.no_subtitles;
  for (const std::string& text : line.subtitles) options.subtitles.push_back(parse_subtitle_file(text));
  options.all_sounds = line.audio_tracks == "all";
  options.manifests = {!line.no_hls, !line.no_dash};
  options.layout = layout(line);
  if (options.layout.frame_index && options.video.codec != VideoCodec::kH264)
    throw std::invalid_argument("--frame-index: kinds of frames are known of H.264 only");
  options.existing = existing(line);
  options.section = parse_duration(line.section);
  if (options.section < options.segment || options.section > 24h)
    throw std::invalid_argument("--section: a section lasts from one segment to 24h");
  if (!line.part.empty()) options.part = parse_part(line.part);
  options.jobs = line.jobs;
  if (options.video.rate_control == RateControl::kTwoPass) {
    if (options.part)
      throw std::invalid_argument("--part: --rate-control 2pass needs all of the film, and makes it in one piece");
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
    PackageInput input = parse_package_input(text);
    for (const PackageInput& other : options.inputs) {
      if (other.name == input.name)
        throw std::invalid_argument(
            fmt::format("two files are called {}: name one of them as NAME={}", input.name, input.path));
    }
    options.inputs.push_back(std::move(input));
  }
  options.output = line.output;
  options.segment = segment_duration(line);
  options.sound = line.audio != "none";
  options.source_subtitles = !line.no_subtitles;
  for (const std::string& text : line.subtitles) options.subtitles.push_back(parse_subtitle_file(text));
  options.manifests = {!line.no_hls, !line.no_dash};
  options.layout = layout(line);
  options.existing = existing(line);
  return options;
}

LiveOptions live_options(const CommandLine& line) {
  std::error_code error;
  if (line.loop && !std::filesystem::is_regular_file(line.input, error))
    throw std::invalid_argument(fmt::format("--loop: {} is no file", line.input));
  const EncodeOptions encode = encode_options(line);
  const Duration reconnect = parse_duration(line.reconnect);
  // Pictures may be left out, and its encoders count those that they get to where a group begins.
  if (encode.video.codec == VideoCodec::kAv1)
    throw std::invalid_argument(
        "--codec av1: not live, where pictures may be left out and its encoder would lose count; use h264 or hevc");
  if (encode.video.rate_control == RateControl::kTwoPass)
    throw std::invalid_argument("--rate-control: live, it is vbr or capped-crf");
  return {.input = encode.input,
          .repeat = line.loop,
          .output = encode.output,
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
