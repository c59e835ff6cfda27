#include "benchmark/bench_options.hh"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "benchmark/saved_film.hh"
#include "command_line/choice.hh"
#include "core/qualities/quality_adaptation.hh"
#include "core/rules.hh"
#include "program/options/channel_option.hh"
#include "program/options/given_address.hh"
#include "program/options/proxy_options.hh"
#include "units/text/channel_address.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

const Introduction kIntroduction{
    "Streams a presentation over all links at once, without a screen, and reports how it went.",
    "0 if the whole stream was received, 1 if not, 2 for a wrong command line, 130 after Ctrl-C.",
    {"tributary-bench https://example.org/film/index.json",
     "tributary-bench index.json --simulate \"wifi 16Mbps 20ms; lte 8Mbps 60ms\""}};

void add_stream(CLI::App& app, BenchOptions& options, std::vector<std::string>& channels) {
  SessionOptions& session = options.session;
  add_choice<StreamingMode>(app, "--mode", session.mode,
                            {{"ondemand", StreamingMode::kOnDemand},
                             {"live-buffered", StreamingMode::kLiveBuffered},
                             {"live-unbuffered", StreamingMode::kLiveUnbuffered}},
                            "Stream at once what is there, or live. Live also publishes prepared content in real time. "
                            "live-unbuffered skips segments that would be late.")
      ->default_str("ondemand");
  app.add_option("--buffer", session.buffer_segments, "Buffer this many segments, and start when they are there.")
      ->option_text("N")
      ->default_str("6; live-buffered 3; live-unbuffered 1");
  app.add_option("--startup", session.startup_segments, "Begin playout with this many segments.")
      ->option_text("N")
      ->default_str("a full buffer");
  add_choice<PartialSegments>(
      app, "--partial", session.partial, {{"wait", PartialSegments::kWait}, {"play", PartialSegments::kPlay}},
      "Let playout stand still until a late segment is there, or play what has come of it while the "
      "rest comes. Frames that come too late are not shown.")
      ->default_str("wait");
  app.add_option("--audio", options.audio, "Stream the sound in this language, as de or pt-BR, or with this name.")
      ->option_text("LANGUAGE")
      ->default_str("the first");
  add_channel(app, channels);
  app.add_option("--segments", options.segments, "Stop after this many segments.")->option_text("N");
  add_read(app, "--give-up", session.give_up_after, parse_duration, "End the session when nothing came for this long.")
      ->option_text("DURATION")
      ->default_str("60s");
  CLI::Option* const save = app.add_option(
      "--save", options.save_film, "Make one film of what was played, picture and sound: FILE.mp4 or FILE.mkv.");
  save->option_text("FILE")->check([](const std::string& path) {
    return is_saved_film(path)
               ? std::string{}
               : fmt::format("{} ends neither in .mp4 nor in .mkv; --save-raw DIR keeps any media", path);
  });
  app.add_option("--save-raw", options.save_raw,
                 "Write the media into this folder as it came, in playout order: files picture and sound.")
      ->option_text("DIR")
      ->excludes(save);
  save->excludes(app.get_option("--partial"));
  group(app, "Stream",
        {"--mode", "--buffer", "--startup", "--partial", "--audio", "--channel", "--segments", "--give-up", "--save",
         "--save-raw"});
}

void add_live(CLI::App& app, BenchOptions& options) {
  add_read(app, "--latency", options.session.latency, parse_duration,
           "Stay this far behind the live edge, by playing up to 10 % faster or 5 % slower. The buffer holds as much.")
      ->option_text("DURATION")
      ->default_str("as far as the buffer is long")
      ->excludes(app.get_option("--buffer"))
      ->excludes(app.get_option("--startup"));
  add_read(app, "--latency-limit", options.session.latency_limit, parse_duration,
           "Further behind the live edge than this, skip segments until it is as near as it should be.")
      ->option_text("DURATION")
      ->default_str("never")
      ->needs(app.get_option("--latency"));
  add_read(app, "--part", options.part, parse_duration,
           "Publish prepared content in partial segments of this length, as an origin of low latency does.")
      ->option_text("DURATION")
      ->default_str("whole segments");
  group(app, "Live", {"--latency", "--latency-limit", "--part"});
}

void add_quality(CLI::App& app, SessionOptions& session) {
  app.add_option("--adaptation", session.adaptation, "Choose qualities by this rule: " + adaptation_names() + ".")
      ->option_text("RULE")
      ->default_str("planned; with dynamic and static subsegments thesis");
  app.add_option(
         "--qoe", session.experience,
         "Let planned and robust-mpc maximise this measure of experience, and report it: " + Experience::names() + ".")
      ->option_text("MEASURE")
      ->default_str("yin2015-patient; where playout begins before the buffer is full, yin2015");
  add_choice<StartRule>(
      app, "--start", session.start, {{"thesis", StartRule::kThesis}, {"fast", StartRule::kFast}},
      "Begin with the highest quality (thesis), or as the rule says by the remembered rates, and with the lowest where "
      "nothing is remembered (fast).")
      ->default_str("thesis");
  add_choice<bool>(
      app, "--forecast", session.plan_forecast, {{"own", false}, {"plan", true}},
      "Let throughput, bola, dynamic and robust-mpc count on the rates that they measured, or on the forecast "
      "of planned.")
      ->default_str("own");
  app.add_option("--without", session.without, "Leave out rules, to see what they bring: " + Rules::names() + ".")
      ->option_text("RULE,...");
  group(app, "Quality", {"--adaptation", "--qoe", "--start", "--forecast", "--without"});
}

/// What links that cost something are asked for.
void add_spending(CLI::App& app, SessionOptions& session) {
  add_spend_for(app, session.spend_for);
  app.get_option("--spend-for")->default_str("lowest; with --adaptation fixed:QUALITY, that quality");
  app.add_option("--slack", session.slack_segments,
                 "Leave bytes to a free link only if it brings them this many segments before they are due.")
      ->option_text("SEGMENTS")
      ->default_str("less than one, by round trip and duration");
  group(app, "Links", {"--slack"});
}

void add_requests(CLI::App& app, SessionOptions& session) {
  add_approach(app, session.subsegments,
               "Divide segments so that all links end together (balanced), or as in the thesis (dynamic, static).");
  add_read(app, "--subsegment-size", session.subsegment_size, parse_size, "Bytes of a subsegment.")
      ->option_text("SIZE")
      ->default_str("100kB");
  app.add_option("--depth", session.depth, "Outstanding requests on each link, with dynamic and static subsegments.")
      ->option_text("N")
      ->default_str("2");
  app.add_option("--duplicates", session.duplicates_percent,
                 "Ask a second link for at most this part of all bytes, where the first will be late.")
      ->option_text("PERCENT")
      ->default_str("5; live-unbuffered 1; with static subsegments 0");
  add_choice<LinkTiming>(
      app, "--timing", session.timing,
      {{"ours", LinkTiming::kOurs}, {"request", LinkTiming::kFromRequest}, {"turn", LinkTiming::kFromTurn}},
      "With dynamic and static subsegments, measure a link as we do, or as the thesis says: from each "
      "request on, or from when the link turned to it.")
      ->default_str("ours");
  group(app, "Requests", {"--subsegments", "--subsegment-size", "--depth", "--duplicates", "--timing"});
}

void add_simulation(CLI::App& app, BenchOptions& options) {
  CLI::Option* const simulate = app.add_option("--simulate", options.scenario,
                                               "Stream in virtual time over modelled links, as the example shows.");
  simulate->option_text("SCENARIO");
  app.add_option(
         "--community", options.community,
         "Instead of a session, send streams or a file to one receiver over these links of a community, divided by "
         "a scheduler of the tunnel: \"round-robin, file 1MB\", or \"layer-priority, stream 15kbps, stream "
         "15kbps, packet 250B, headers 20B, told 5s, for 100s\". \"told\" is the age of what is known of "
         "the links, \"window\" what the receiver of a file allows.")
      ->option_text("EXPERIMENT")
      ->needs(simulate);
  app.add_option("--seed", options.seed, "Begin random numbers of a simulation with this seed.")
      ->option_text("S")
      ->default_str("1");
  app.add_flag("--forget-sizes", options.forget_sizes,
               "Let sizes of segments be estimates, as with a manifest that states none.")
      ->needs(simulate);
  simulate->excludes(app.get_option("--channel"));
  app.add_option("--replay", options.replay, "Take the decisions of a trace again, and compare.")
      ->option_text("TRACE")
      ->excludes(simulate)
      ->excludes(app.get_option("--save"))
      ->excludes(app.get_option("--save-raw"));
  simulate->excludes(app.get_option("--save"))->excludes(app.get_option("--save-raw"));
  app.add_flag("--batch", options.batch,
               "Read command lines from standard input, each a JSON array of words, and run one after the other. After "
               "each, print its exit status and the length of its session.");
  group(app, "Simulation", {"--simulate", "--community", "--seed", "--forget-sizes", "--replay", "--batch"});
}

void add_output(CLI::App& app, BenchOptions& options) {
  const auto file = [&](const char* name, std::optional<std::string>& path, const char* help) {
    app.add_option(name, path, help)->option_text("FILE");
  };
  app.add_flag("-q,--quiet", options.quiet, "Print only errors.");
  app.add_flag("--explain", options.explain, "Print why each deadline was missed, and how to avoid that.")
      ->excludes(app.get_option("--quiet"));
  file("--output", options.summary_file, "Write the figures of the run as JSON.");
  file("--segments-csv", options.segments_file, "Write a line for each segment.");
  file("--requests-csv", options.requests_file, "Write a line for each request.");
  file("--links-csv", options.links_file, "Write a line for each link and half second.");
  file("--misses-csv", options.misses_file,
       "Write a line for each deadline miss and each skipped segment, with its reason.");
  file("--p1203", options.p1203_file, "Write what a scorer of ITU-T P.1203 reads, for mode 0.");
  file("--trace", options.trace_file, "Write every event, and every decision with its reason.");
  app.add_option("--run-id", options.run_id, "Name the run in its figures.")
      ->option_text("NAME")
      ->default_str("the time");
  group(app, "Messages and figures",
        {"--quiet", "--explain", "--output", "--segments-csv", "--requests-csv", "--links-csv", "--misses-csv",
         "--p1203", "--trace", "--run-id"});
}

}  // namespace

BenchOptions parse_command_line(int argc, char** argv) {
  BenchOptions options;
  SessionOptions& session = options.session;
  CLI::App app{"", "tributary-bench"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  app.add_option(
      "URL", options.index,
      "The address of a title: of its folder, its index.json, or its HLS or DASH manifest. With --simulate, a file or "
      "folder.");
  add_network_options(app, options);
  add_proxy_options(app, options);
  add_connections(app, session.connections);
  add_spending(app, session);
  add_forget(app, options.forget);
  std::vector<std::string> channels;
  add_stream(app, options, channels);
  add_live(app, options);
  add_quality(app, session);
  add_requests(app, session);
  add_simulation(app, options);
  add_output(app, options);
  parse(app, argc, argv, [&] {
    const bool needs_title = !options.replay && !options.batch && !options.forget && !options.community;
    if (options.index.empty() && needs_title) throw CLI::RequiredError("URL");
    if (!options.scenario && !options.replay && !options.batch)
      options.index = with_channels(given_address("tributary-bench", options.index, options.quiet), channels);
    if (app.count("--adaptation") == 0) session.adaptation = traits_of(session.subsegments).adaptation;
    if (app.count("--duplicates") == 0)
      session.duplicates_percent = usual_duplicates(session.subsegments, session.mode);
    if (app.count("--buffer") == 0) {
      if (session.mode == StreamingMode::kLiveBuffered) session.buffer_segments = 3;
      if (session.mode == StreamingMode::kLiveUnbuffered) session.buffer_segments = 1;
    }
    if (app.count("--latency") > 0) {
      if (app.count("--mode") == 0) session.mode = StreamingMode::kLiveBuffered;
      if (app.count("--start") == 0) session.start = StartRule::kFast;
      session.startup_segments = 1;
    }
    if (app.count("--qoe") == 0) session.experience = usual_experience(session);
    static const std::string kFixed = "fixed:";
    const bool fixed = session.adaptation.starts_with(kFixed);
    if (fixed && app.count("--spend-for") == 0 && !options.terms.empty())
      session.spend_for = session.adaptation.substr(kFixed.size());
    Rules::without(session.without);
    validate(session);
  });
  return options;
}

}  // namespace tributary
