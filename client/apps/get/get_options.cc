#include "apps/get/get_options.hh"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "apps/get/files/chunk_plan.hh"
#include "apps/get/film/film_file.hh"
#include "units/quantity_text.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kChunksInFlight = 8;
constexpr DataSize kTitleInFlight{64'000'000};  // kept in memory
constexpr std::uint32_t kMostSegmentsInFlight = 32;

const Introduction kIntroduction{
    "Downloads one file over all links at once, from any web server; or the title of an HLS or DASH manifest, as one "
    "film. While it runs, FILE.part has the bytes, and FILE.part.json says which of them are there.",
    "0 if the file is whole, 2 for a wrong command line, 130 after Ctrl-C, 63 if the caps of all links are used up; "
    "others are those of curl.",
    {"tributary-get https://example.org/film.iso",
     "tributary-get -C -o film.iso https://example.org/film.iso    # go on",
     "tributary-get -o film.mp4 https://example.org/film.mpd       # the title"}};

void add_title_options(CLI::App& app, GetOptions& options) {
  app.add_flag(
      "--remux", options.remux,
      "URL is a manifest: write its title into one film, without encoding. So does a manifest with -o FILE.mp4, "
      ".mkv, .mov or .webm.");
  app.add_option("--quality", options.quality, "Fetch this quality: best, lowest, its name, or at most as 720p.")
      ->option_text("QUALITY")
      ->default_str(options.quality);
  app.add_option("--audio", options.audio, "Fetch the sound in this language, as de or pt-BR, or with this name.")
      ->option_text("LANGUAGE")
      ->default_str("the first");
  group(app, "Title of a manifest", {"--remux", "--quality", "--audio"});
}

/// Throws std::invalid_argument.
void expect_a_film(const GetOptions& options, bool asks_for_parts) {
  const bool is_film = film_suffix(options.output).has_value();
  if (options.remux && !options.output.empty() && !is_film)
    throw std::invalid_argument("--remux writes .mp4, .mkv, .mov or .webm: say -o FILE.mp4");
  if (asks_for_parts && !options.remux && !is_film)
    throw std::invalid_argument("--quality and --audio are for the title of a manifest: say -o FILE.mp4, or --remux");
}

}  // namespace

GetOptions parse_command_line(int argc, char** argv) {
  GetOptions options;
  CLI::App app{"", "tributary-get"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  app.add_option("URL", options.url, "The address of the file: http or https.");
  app.add_option("-o,--output", options.output, "Write to this file; - is standard output.")
      ->option_text("FILE")
      ->default_str("the last part of the URL, in this folder");
  app.add_flag("-C,--continue", options.resume, "Go on with an interrupted download.");
  group(app, "File", {"--output", "--continue"});
  add_title_options(app, options);
  add_network_options(app, options);
  add_approach(
      app, options.subsegments,
      "Size requests so that all links end together (balanced), by the rate of each link (dynamic), or alike (static).");
  add_read(app, "--subsegment-size", options.subsegment_size, parse_size, "Bytes of a request.")
      ->option_text("SIZE")
      ->default_str("50kB to 400kB, by the size of the file");
  app.add_option("--depth", options.depth, "Outstanding requests on each link, with dynamic and static subsegments.")
      ->option_text("N")
      ->default_str("4");
  add_forget(app, options.forget);
  app.add_option("--trace", options.trace_file, "Write every event, and every decision with its reason.")
      ->option_text("FILE");
  app.add_flag("--json", options.json, "Print the figures of the download as JSON.");
  app.add_flag("-q,--quiet", options.quiet, "Print only errors, and the figures of --json.");
  group(app, "Requests", {"--subsegments", "--subsegment-size", "--depth"});
  group(app, "Messages and figures", {"--json", "--quiet", "--trace"});
  parse(app, argc, argv, [&] {
    if (options.url.empty() && !options.forget) throw CLI::RequiredError("URL");
    if (options.output == "-") options.output = "/dev/stdout";
    expect_a_film(options, app.count("--quality") + app.count("--audio") > 0);
    validate(session_options(options, DataSize{}));
  });
  return options;
}

SessionOptions session_options(const GetOptions& options, DataSize object) {
  SessionOptions session;
  session.mode = StreamingMode::kDownload;
  session.subsegments = options.subsegments;
  session.subsegment_size = options.subsegment_size.value_or(subsegment_size_for(object));
  session.depth = options.depth;
  session.buffer_segments = kChunksInFlight;
  session.adaptation = std::string{"fixed:"} + kObjectTrack;
  session.start = StartRule::kFast;  // by what is remembered of the links
  return session;
}

SessionOptions title_options(const GetOptions& options, const std::string& quality, DataSize title,
                             std::size_t segments) {
  SessionOptions session = session_options(options, title);
  session.adaptation = "fixed:" + quality;
  session.in_order = true;
  const double in_flight = kTitleInFlight / title * static_cast<double>(segments);
  session.buffer_segments =
      static_cast<std::uint32_t>(std::clamp<double>(in_flight, kChunksInFlight, kMostSegmentsInFlight));
  return session;
}

std::optional<std::string> film_suffix(const std::string& path) {
  std::string suffix = std::filesystem::path{path}.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  if (suffix.empty() || !is_film_suffix(suffix.substr(1))) return std::nullopt;
  return suffix.substr(1);
}

}  // namespace tributary
