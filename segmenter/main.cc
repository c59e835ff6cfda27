#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <charconv>
#include <csignal>
#include <string>
#include <vector>

extern "C" {
#include <libavutil/log.h>
}

#include "presentation/json_node.hh"
#include "segmenter/encode_job.hh"
#include "segmenter/failure.hh"
#include "segmenter/file_bytes.hh"
#include "segmenter/package_job.hh"
#include "segmenter/presentation_check.hh"
#include "segmenter/synthetic_job.hh"
#include "units/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

void note_signals() {
  struct sigaction action {};
  // A second signal finds the default action again and ends the program at once.
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

struct CommandLine {
  std::string input, output;
  std::string ladder = "low=750k,medium=1300k,high=2150k,super=3000k";
  std::string segment = "2s";
  std::string preset = "veryfast";
  std::string audio = "128k";
  std::string audio_tracks = "best";
  std::string synthetic;
  std::size_t segments = kThesisSegments;
  TrackLayout layout;
  bool no_hls = false, no_dash = false, force = false, quiet = false;
  std::vector<std::string> inputs;  // to package
  std::string directory;            // to check
};

const std::vector<std::string> kPresets{"ultrafast", "superfast", "veryfast", "faster",  "fast",
                                        "medium",    "slow",      "slower",   "veryslow"};

/// What encoding and packaging have in common. Returns --output.
CLI::Option* declare_output(CLI::App& app, CommandLine& line) {
  CLI::Option* const output =
      app.add_option("-o,--output", line.output, "directory for the presentation")->type_name("DIR");
  app.add_option("--segment", line.segment, "duration of a segment")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_flag("--single-file", line.layout.single_file,
               "one file for each quality, of which segments are byte ranges");
  app.add_flag("--frame-index", line.layout.frame_index,
               "a file for each quality that says where its I-, P- and B-frames are");
  app.add_flag("--no-hls", line.no_hls, "no playlists for players of HLS");
  app.add_flag("--no-dash", line.no_dash, "no manifest for players of MPEG-DASH");
  app.add_flag("--force", line.force, "replace a presentation in DIR");
  app.add_flag("-q,--quiet", line.quiet, "no progress");
  return output;
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
  package->add_option("--audio", line.audio, "copy, or none")
      ->default_str("copy")
      ->check(CLI::IsMember({"copy", "none"}))
      ->type_name("WHAT");
}

void declare(CLI::App& app, CommandLine& line) {
  CLI::Option* const input =
      app.add_option("input", line.input, "video file to encode; \"-\" reads standard input");
  CLI::Option* const output = declare_output(app, line);
  app.add_option("--ladder", line.ladder, "qualities: NAME=RATE or NAME=RATE@WxH, with commas between")
      ->capture_default_str()
      ->type_name("LADDER");
  app.add_option("--preset", line.preset, "x264 preset: the slower, the better the picture")
      ->capture_default_str()
      ->check(CLI::IsMember(kPresets))
      ->type_name("NAME");
  app.add_option("--audio", line.audio, "rate of the sound (AAC), or none")
      ->capture_default_str()
      ->type_name("RATE");
  app.add_option("--audio-tracks", line.audio_tracks, "the best sound of the source, or all (languages, comments)")
      ->capture_default_str()
      ->check(CLI::IsMember({"best", "all"}))
      ->type_name("WHICH");
  app.add_option(
         "--synthetic", line.synthetic,
         "write plain bytes of given sizes instead of encoding: a JSON file of sizes, or thesis[:SEED]")
      ->type_name("SIZES");
  app.add_option("--segments", line.segments, "number of segments of the synthetic thesis movie")
      ->capture_default_str()
      ->check(CLI::Range(10, 1000000))
      ->type_name("N");
  declare_package(app, line);
  CLI::App* const check =
      app.add_subcommand("check", "compare the files of a presentation with its index and manifests");
  check->add_option("directory", line.directory, "what was made with -o")->required()->type_name("DIR");
  check->excludes(input)->excludes(output);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "tributary-segment " TRIBUTARY_VERSION);
}

Duration segment_duration(const CommandLine& line) {
  const Duration segment = parse_duration(line.segment);
  if (segment < 100ms || segment > 60s) {
    throw std::invalid_argument("--segment: a segment lasts from 100ms to 60s");
  }
  return segment;
}

EncodeOptions encode_options(const CommandLine& line) {
  EncodeOptions options;
  options.input = line.input;
  options.output = line.output;
  options.ladder = parse_ladder(line.ladder);
  options.segment = segment_duration(line);
  options.preset = line.preset;
  if (line.audio != "none") options.audio = parse_rate(line.audio);
  options.all_sounds = line.audio_tracks == "all";
  if (options.audio &&
      (options.audio->bits_per_second() < 16e3 || options.audio->bits_per_second() > 512e3)) {
    throw std::invalid_argument("--audio: the rate is from 16k to 512k, or none");
  }
  options.manifests = {!line.no_hls, !line.no_dash};
  options.layout = line.layout;
  options.replace = line.force;
  return options;
}

ProgressReport::Mode progress_mode(bool quiet) {
  if (quiet) return ProgressReport::Mode::kNone;
  return isatty(STDERR_FILENO) != 0 ? ProgressReport::Mode::kTerminal : ProgressReport::Mode::kPlain;
}

/// What a successful run has to say against its input.
void warn(const std::string& input, const EncodeResult& result) {
  if (result.damaged_packets > 0) {
    fmt::print(stderr, "tributary-segment: {}: damaged packets passed over: {}\n", input,
               result.damaged_packets);
  }
  if (result.expected && *result.expected - result.media > 1s) {
    fmt::print(stderr,
               "tributary-segment: {}: the picture ends after {}, but the file says that it lasts {}\n",
               input, format_duration(result.media), format_duration(*result.expected));
  }
}

/// Shows the progress of `make`, which takes a ProgressReport, and what came of it.
template <typename Make>
void report_on(const CommandLine& line, const std::string& input, Make make) {
  EncodeResult result;
  {
    ProgressReport progress{progress_mode(line.quiet), stderr};
    result = make(progress);
  }
  warn(input, result);
  if (!line.quiet) {
    fmt::print(stderr, "{}: pictures: {}, segments: {}\n", line.output, result.pictures, result.segments);
  }
}

void run_encode(const CommandLine& line) {
  const EncodeOptions options = encode_options(line);
  report_on(line, line.input,
            [&](ProgressReport& progress) { return encode(options, interrupted, progress); });
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
  options.manifests = {!line.no_hls, !line.no_dash};
  options.layout = line.layout;
  options.replace = line.force;
  return options;
}

void run_package(const CommandLine& line) {
  const PackageOptions options = package_options(line);
  report_on(line, options.inputs[0].path,
            [&](ProgressReport& progress) { return package(options, interrupted, progress); });
}

SyntheticMovie synthetic_movie(const CommandLine& line) {
  constexpr std::string_view kThesis = "thesis";
  const std::string_view text = line.synthetic;
  if (text == kThesis) return thesis_movie(0, line.segments);
  if (text.starts_with("thesis:")) {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data() + kThesis.size() + 1, end, seed);
    if (error != std::errc{} || parsed != end)
      throw std::invalid_argument("--synthetic: a seed is a whole number");
    return thesis_movie(seed, line.segments);
  }
  const auto sizes = read_file(line.synthetic);
  if (!sizes) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", line.synthetic)};
  try {
    return read_movie(*sizes);
  } catch (const JsonError& error) {
    throw Failure{ExitCode::kInput, fmt::format("{}: {}", line.synthetic, error.what())};
  }
}

/// Says what is wrong, one place a line.
void run_check(const CommandLine& line) {
  const CheckResult result = check_presentation(line.directory);
  for (const std::string& finding : result.findings) fmt::print("{}\n", finding);
  if (!result.findings.empty()) {
    throw Failure{ExitCode::kCheckFailed,
                  fmt::format("{}: wrong places: {}", line.directory, result.findings.size())};
  }
  if (!line.quiet) {
    fmt::print("{}: tracks: {}, segments: {}, all as they should be\n", line.directory, result.tracks,
               result.segments);
  }
}

void run(const CommandLine& line) {
  if (!line.directory.empty()) return run_check(line);
  if (line.output.empty())
    throw std::invalid_argument("--output is missing: the directory for the presentation");
  if (!line.inputs.empty()) return run_package(line);
  if (line.input.empty() == line.synthetic.empty()) {
    throw std::invalid_argument("give either a video file or --synthetic (--help says more)");
  }
  if (line.synthetic.empty()) return run_encode(line);
  if (line.layout.frame_index) throw std::invalid_argument("--frame-index: plain bytes have no frames");
  const SyntheticMovie movie = synthetic_movie(line);
  write_synthetic(movie, Publication{line.output, line.force, line.layout}, interrupted);
  if (!line.quiet) {
    fmt::print(stderr, "{}: qualities: {}, segments: {}\n", line.output, movie.qualities.size(),
               movie.qualities[0].sizes.size());
  }
}

int report(ExitCode code, const std::string& what) {
  fmt::print(stderr, "tributary-segment: {}\n", what);
  return static_cast<int>(code);
}

}  // namespace
}  // namespace tributary::segmenter

int main(int argc, char** argv) {
  using namespace tributary::segmenter;
  CLI::App app{"Cuts a video into segments in several qualities, for streaming from any web server."};
  CommandLine line;
  declare(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  av_log_set_level(AV_LOG_FATAL);  // what matters of a library's complaints is in our own messages
  note_signals();
  try {
    run(line);
    return 0;
  } catch (const Failure& failure) {
    return report(failure.code(), failure.what());
  } catch (const std::invalid_argument& error) {
    return report(ExitCode::kUsage, error.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::kCodec, "out of memory");
  }
}
