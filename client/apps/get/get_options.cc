#include "apps/get/get_options.hh"

#include <CLI/CLI.hpp>

#include "apps/common/command_line.hh"
#include "apps/common/link_memory.hh"
#include "apps/get/chunk_plan.hh"
#include "units/quantity_text.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kChunksInFlight = 8;

constexpr const char* kAbout =
    "Downloads one file over all links at once.\n"
    "While it runs, the bytes are in FILE.part, and FILE.part.json says which; FILE is there when it is "
    "whole.\n"
    "Exit status: 0 whole, 2 wrong command line, 3 bad URL, 6 name not resolved, 7 no connection, 18 ended "
    "too\n"
    "early, 22 HTTP error, 23 cannot write, 28 time-out, 33 ranges or continuing refused, 60 certificate,\n"
    "63 what metered links may bring is used up, 130 after Ctrl-C; others as curl has them.";

}  // namespace

GetOptions parse_command_line(int argc, char** argv) {
  GetOptions options;
  CLI::App app{kAbout, "tributary-get"};
  app.set_version_flag("--version", TRIBUTARY_VERSION);
  app.add_option("URL", options.url, "What to download: http or https");
  app.add_option("-o,--output", options.output, "Where to (default: the last part of the URL, here)")
      ->option_text("FILE");
  app.add_flag("-C,--continue", options.resume, "Go on with what an interrupted download left behind");
  add_network_options(app, options.links, options.terms, options.ca_file, options.http);
  add_approach(app, options.subsegments,
               "Requests of a fixed size, or sized by what each link can do: balanced, dynamic or static");
  add_read(app, "--subsegment-size", options.subsegment_size, parse_size, "Bytes per request and link")
      ->option_text("SIZE [50kB to 400kB, by the size of the file]");
  app.add_option("--depth", options.depth, "Outstanding requests per link, with static and dynamic subsegments")
      ->option_text("N [4]");
  add_forget(app, options.forget);
  app.add_option("--trace", options.trace_file, "Write every event and decision")->option_text("FILE");
  app.add_flag("--json", options.json, "Print the figures of the download as JSON");
  app.add_flag("-q,--quiet", options.quiet, "Print nothing but errors (and what --json asks for)");
  parse(app, argc, argv, [&] {
    if (options.url.empty() && !options.forget) throw CLI::RequiredError("URL");
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
