#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "command_line/program_end.hh"
#include "program/local_presentation.hh"
#include "program/options/command_line.hh"
#include "simulation/rate_trace.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"
#include "worlds/sequential_world.hh"

namespace tributary {
namespace {

struct SequentialOptions {
  std::string index, trace, adaptation;
  Duration buffer = std::chrono::seconds{25};
  Duration latency = std::chrono::milliseconds{100};
  bool abandon = false;
};

SequentialOptions parse_command_line(int argc, char** argv) {
  SequentialOptions options;
  CLI::App app{"", "tributary-sequential"};
  introduce(app,
            {"Plays a presentation over one modelled link, one request at a time, as simulators of the field do, and "
             "prints the figures as JSON.",
             "0 if all was played, 1 if a file could not be read, 2 for a wrong command line.",
             {"tributary-sequential index.json --trace hsdpa.csv --adaptation bola",
              "tributary-sequential index.json --trace 3g.csv --adaptation planned --abandon"}});
  add_version(app, TRIBUTARY_VERSION);
  app.add_option("INDEX", options.index, "The index.json of the presentation.")->required();
  app.add_option("--trace", options.trace, "The rates of the link: lines of time_s,kbit_s, or a trace of Mahimahi.")
      ->required()
      ->option_text("FILE");
  app.add_option("--adaptation", options.adaptation,
                 "Choose qualities by this rule; tributary-bench --help lists them.")
      ->required()
      ->option_text("RULE");
  add_read(app, "--buffer", options.buffer, parse_duration, "Buffer this much media.")
      ->option_text("DURATION")
      ->default_str("25s");
  add_read(app, "--latency", options.latency, parse_duration, "Let each request wait this long.")
      ->option_text("DURATION")
      ->default_str("100ms");
  app.add_flag("--abandon", options.abandon, "Let the rule give up a segment that comes too slowly.");
  group(app, "Session", {"--trace", "--adaptation", "--buffer", "--latency", "--abandon"});
  parse(app, argc, argv);
  return options;
}

std::vector<RatePeriod> periods_of(const std::string& path) {
  const RateTrace trace = read_rate_trace(path);
  std::vector<RatePeriod> periods;
  bool carries = false;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const bool last = i + 1 == trace.steps.size();
    const TimePoint end = last ? TimePoint{trace.length} : trace.steps[i + 1].at;
    periods.push_back({end - trace.steps[i].at, trace.steps[i].rate});
    carries = carries || (periods.back().duration > Duration::zero() && periods.back().rate > DataRate{});
  }
  if (!carries) throw std::invalid_argument(fmt::format("{}: nothing ever comes over this link", path));
  return periods;
}

void play(const SequentialOptions& options) {
  const SegmentTable table{read_local_presentation(options.index).exact};
  if (options.buffer < 2 * table.duration(SegmentIndex{0})) throw UsageError{"--buffer: two segments at least"};
  const auto rule = read_words([&] { return make_adaptation(options.adaptation, table); });
  SequentialWorld world{periods_of(options.trace), options.latency, options.buffer};
  const auto abandonment =
      options.abandon ? SequentialWorld::Abandonment::kAllowed : SequentialWorld::Abandonment::kNever;
  const SequentialResult result = world.play(table, *rule, abandonment);
  print_text(
      stdout,
      "{{\"mean_bitrate_kbit_s\": {:.6f}, \"rebuffer_s\": {:.6f}, \"rebuffer_events\": {}, \"abandoned\": {}}}\n",
      result.mean_bitrate.kilobits_per_second(), to_seconds(result.rebuffer), result.rebuffer_events, result.abandoned);
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-sequential"}, [&] {
    play(parse_command_line(argc, argv));
    return 0;
  });
}
