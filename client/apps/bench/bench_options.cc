#include "apps/bench/bench_options.hh"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "apps/common/command_line.hh"
#include "apps/common/link_memory.hh"
#include "core/rules.hh"
#include "units/quantity_text.hh"

namespace tributary {
BenchOptions parse_command_line(int argc, char** argv) {
  BenchOptions options;
  SessionOptions& session = options.session;
  CLI::App app{
      "Streams a presentation over all links at once, without a screen, and reports what came of it.\n"
      "Exit status: 0 if the whole stream was received, 1 if not, 2 for a wrong command line, 130 after "
      "Ctrl-C.",
      "tributary-bench"};
  app.set_version_flag("--version", TRIBUTARY_VERSION);
  app.add_option("INDEX_URL", options.index,
                 "Where the presentation's index.json is: http, https, or (with --simulate) a file");

  const std::map<std::string, StreamingMode> modes{{"ondemand", StreamingMode::kOnDemand},
                                                   {"live-buffered", StreamingMode::kLiveBuffered},
                                                   {"live-unbuffered", StreamingMode::kLiveUnbuffered}};
  add_network_options(app, options.links, options.terms, options.ca_file, options.http);
  app.add_option(
         "--mode", session.mode,
         "ondemand, live-buffered or live-unbuffered (live: a live presentation, or prepared content as if it were published "
         "in real time)")
      ->transform(CLI::CheckedTransformer(modes))
      ->option_text("MODE [ondemand]");
  add_approach(app, session.subsegments,
               "How segments are divided: balanced (all links end together), or the thesis' dynamic or static");
  add_read(app, "--subsegment-size", session.subsegment_size, parse_size, "Bytes per subsegment, or per link and block")
      ->option_text("SIZE [100kB]");
  app.add_option("--depth", session.depth, "Outstanding requests per link, with static and dynamic subsegments")
      ->option_text("N [2]");
  auto* duplicates = app.add_option("--duplicates", session.duplicates_percent,
                                    "Percentage of all bytes that may be asked of a second link when the "
                                    "first will be late (default: 5; static 0)");
  duplicates->option_text("PERCENT");
  auto* adaptation =
      app.add_option("--adaptation", session.adaptation,
                     "How qualities are chosen: thesis, throughput, bola, bola-finite, dynamic, dynamic-finite, bba, "
                     "robust-mpc, planned, or fixed:QUALITY (default: planned; with the thesis' subsegments, thesis)");
  adaptation->option_text("RULE");
  const std::map<std::string, bool> forecasts{{"own", false}, {"plan", true}};
  app.add_option(
         "--forecast", session.plan_forecast,
         "What throughput, bola, dynamic and robust-mpc count on: own (what they measured), or plan (what planned does)")
      ->transform(CLI::CheckedTransformer(forecasts))
      ->option_text("WHOSE [own]");
  app.add_option("--without", session.without,
                 "Leave out rules of ours, to see what they are good for: rescue, take-over, sizing, several-segments, "
                 "lasting-rise, spread, look-ahead, switch-bound, lowering")
      ->option_text("RULE,...");
  add_spend_for(app, session.spend_for);
  const std::map<std::string, StartRule> starts{{"thesis", StartRule::kThesis}, {"fast", StartRule::kFast}};
  app.add_option(
         "--start", session.start,
         "Quality of the first segment: thesis (the highest), or fast (as the rule says, by what is remembered of the "
         "links; where nothing is, the lowest)")
      ->transform(CLI::CheckedTransformer(starts))
      ->option_text("HOW [thesis]");
  app.add_option("--startup", session.startup_segments, "Begin playout with so many segments (default: a full buffer)")
      ->option_text("N");
  auto* buffer =
      app.add_option("--buffer", session.buffer_segments,
                     "Playout buffer and start-up in segments (default: 6; live-buffered 3; live-unbuffered 1)");
  buffer->option_text("N");
  app.add_option("--segments", options.segments, "Stop after this many segments")->option_text("N");
  add_read(app, "--give-up", session.give_up_after, parse_duration,
           "End the session when next to nothing came for so long")
      ->option_text("DURATION [60s]");

  auto* simulate =
      app.add_option("--simulate", options.scenario,
                     "Virtual time and modelled links, such as \"wifi 16Mbps 20ms; lte 8Mbps 60ms, down 10s..12s\"");
  simulate->option_text("SCENARIO");
  app.add_option("--seed", options.seed, "Of everything random in a simulation")->option_text("S [1]");
  auto* replay = app.add_option("--replay", options.replay, "Decide again what a trace has recorded, and compare");
  replay->option_text("TRACE")->excludes(simulate);

  app.add_flag("--batch", options.batch,
               "Read a command line, a JSON array of words, from each line of the standard input, and do these "
               "runs one after the other; after each, print its exit status and how long the session was");

  app.add_option("--output", options.summary_file, "Write the figures of the run (JSON)")->option_text("FILE");
  app.add_option("--segments-csv", options.segments_file, "Write a line for each segment")->option_text("FILE");
  app.add_option("--requests-csv", options.requests_file, "Write a line for each request")->option_text("FILE");
  app.add_option("--links-csv", options.links_file, "Write a line for each link and half second")->option_text("FILE");
  app.add_option("--misses-csv", options.misses_file,
                 "Write a line for each deadline miss and each skipped segment: why, and what would have avoided it")
      ->option_text("FILE");
  app.add_option("--trace", options.trace_file, "Write every event and decision")->option_text("FILE");
  auto* save =
      app.add_option("--save", options.save_file,
                     "Write the media in playout order (sound goes to a second file, FILE with .audio in its name)");
  save->option_text("FILE")->excludes(simulate)->excludes(replay);
  add_forget(app, options.forget);
  app.add_option("--run-id", options.run_id, "Name of the run in its summary (default: the time)")->option_text("NAME");
  auto* explain =
      app.add_flag("--explain", options.explain, "Print why each deadline was missed, and what would have avoided it");
  app.add_flag("-q,--quiet", options.quiet, "Print nothing but errors")->excludes(explain);

  parse(app, argc, argv, [&] {
    if (options.index.empty() && !options.replay && !options.batch && !options.forget)
      throw CLI::RequiredError("INDEX_URL");
    if (adaptation->count() == 0) session.adaptation = usual_adaptation(session.subsegments);
    if (duplicates->count() == 0) session.duplicates_percent = usual_duplicates_percent(session.subsegments);
    if (buffer->count() == 0) {
      if (session.mode == StreamingMode::kLiveBuffered) session.buffer_segments = 3;
      if (session.mode == StreamingMode::kLiveUnbuffered) session.buffer_segments = 1;
    }
    static const std::string kFixed = "fixed:";
    const bool fixed = session.adaptation.starts_with(kFixed);
    if (fixed && app.get_option("--spend-for")->count() == 0 && !options.terms.empty())
      session.spend_for = session.adaptation.substr(kFixed.size());
    Rules::without(session.without);
    validate(session);
  });
  return options;
}

}  // namespace tributary
