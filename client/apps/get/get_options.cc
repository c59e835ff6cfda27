#include "apps/get/get_options.hh"

#include <CLI/CLI.hpp>

#include "apps/common/command_line.hh"
#include "apps/get/files/chunk_plan.hh"
#include "units/quantity_text.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kChunksInFlight = 8;

const Introduction kIntroduction{
    "Downloads one file over all links at once, from any web server. While it runs, FILE.part has the bytes, and "
    "FILE.part.json says which of them are there.",
    "0 if the file is whole, 2 for a wrong command line, 130 after Ctrl-C, 63 if the caps of all links are used up; "
    "others are those of curl.",
    {"tributary-get https://example.org/film.iso",
     "tributary-get -C -o film.iso https://example.org/film.iso    # go on"}};

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
  add_network_options(app, options.links, options.terms, options.ca_file, options.http);
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
  group(app, "File", {"--output", "--continue"});
  group(app, "Requests", {"--subsegments", "--subsegment-size", "--depth"});
  group(app, "Messages and figures", {"--json", "--quiet", "--trace"});
  parse(app, argc, argv, [&] {
    if (options.url.empty() && !options.forget) throw CLI::RequiredError("URL");
    if (options.output == "-") options.output = "/dev/stdout";
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

}  // namespace tributary
