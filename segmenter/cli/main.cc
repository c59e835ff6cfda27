#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line/parse.hh"
#include "presentation/json/json_error.hh"
#include "segmenter/check/presentation_check.hh"
#include "segmenter/cli/command_line.hh"
#include "segmenter/encode/encode_plan.hh"
#include "segmenter/encoders/encoder_process.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/fresh_memory.hh"
#include "segmenter/libav/input_file.hh"
#include "segmenter/libav/libav_handles.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/synthetic/synthetic_job.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

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

/// One JSON object a line, for programs.
void print_event(const nlohmann::ordered_json& event) {
  ProgressReport{ProgressReport::Mode::kJson, stdout}.event(event);
}

ProgressReport report_of(const CommandLine& line) {
  if (line.json) return ProgressReport{ProgressReport::Mode::kJson, stdout};
  return ProgressReport{line.quiet ? ProgressReport::Mode::kNone : ProgressReport::Mode::kPeople, stderr};
}

void warn_of_damage(const std::string& input, const SourceDamage& damage) {
  if (damage.packets > 0)
    print_text(stderr, "tributary-segment: {}: damaged packets passed over: {}\n", shown_name(input), damage.packets);
  if (damage.concealed > 0) {
    print_text(stderr,
               "tributary-segment: {}: places where decoders concealed damage: about {}, from {:.1f} s to {:.1f} s\n",
               shown_name(input), damage.concealed, to_seconds(damage.first), to_seconds(damage.last));
  }
}

/// The last event of a successful run: the place of its output, and `fields`.
void print_result(const CommandLine& line, const nlohmann::ordered_json& fields) {
  nlohmann::ordered_json event{{"event", "result"}, {"exit", 0}, {"output", line.output}};
  event.update(fields);
  print_event(event);
}

nlohmann::ordered_json with_damage(nlohmann::ordered_json fields, const SourceDamage& damage) {
  fields["damagedPackets"] = damage.packets;
  if (damage.concealed > 0) {
    fields["concealedDamage"] = {
        {"places", damage.concealed}, {"from", to_seconds(damage.first)}, {"to", to_seconds(damage.last)}};
  }
  return fields;
}

/// Warns of faults in the input of a successful run.
void warn(const std::string& input, const EncodeResult& result) {
  warn_of_damage(input, result.damage);
  for (const std::string& remark : result.remarks)
    print_text(stderr, "tributary-segment: {}\n", printable_line(remark));
  if (result.expected && *result.expected - result.media > 1s) {
    print_text(stderr, "tributary-segment: {}: the picture ends after {}, but the file says that it lasts {}\n",
               shown_name(input), format_duration(result.media), format_duration(*result.expected));
  }
}

void say_result(const CommandLine& line, const EncodeResult& result) {
  if (line.json) {
    return print_result(line, with_damage({{"pictures", result.pictures},
                                           {"seconds", to_seconds(result.media)},
                                           {"segments", result.segments},
                                           {"segmentsBefore", result.segments_before},
                                           {"remarks", result.remarks}},
                                          result.damage));
  }
  if (line.quiet) return;
  const std::string before =
      result.segments_before > 0 ? fmt::format(" ({} of an earlier run)", result.segments_before) : "";
  print_text(stderr, "{}: pictures: {}, segments: {}{}\n", line.output, result.pictures, result.segments, before);
}

/// Shows the progress of `make`, which takes a ProgressReport, and its result.
template <typename Make>
void report_on(const CommandLine& line, const std::string& input, Make make) {
  EncodeResult result;
  {
    ProgressReport progress = report_of(line);
    result = make(progress);
  }
  warn(input, result);
  say_result(line, result);
}

void run_encode(const CommandLine& line) {
  zero_allocated_memory();
  const EncodeOptions options = encode_options(line);
  if (line.dry_run) {
    const EncodePlan plan = plan_encoding(options, interrupted);
    return line.json ? print_event(plan_event(plan)) : print_text(stdout, plan_text(plan));
  }
  report_on(line, line.input, [&](ProgressReport& progress) { return encode(options, interrupted, progress); });
}

void run_join(const CommandLine& line) { say_result(line, join(join_options(line), interrupted)); }

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
    if (error != std::errc{} || parsed != end) throw UsageError("--synthetic: a seed is a whole number");
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

void run_synthetic(const CommandLine& line) {
  if (line.index_only && line.layout.single_file)
    throw UsageError("--index-only: there is no single file without segments");
  const SyntheticMovie movie = synthetic_movie(line);
  write_synthetic(movie, Publication{line.output, existing(line), line.layout}, line.index_only, interrupted);
  if (line.json) {
    print_result(line, {{"segments", movie.qualities[0].sizes.size()}});
  } else if (!line.quiet) {
    print_text(stderr, "{}: qualities: {}, segments: {}\n", line.output, movie.qualities.size(),
               movie.qualities[0].sizes.size());
  }
}

/// Prints each finding on a line of its own.
void run_check(const CommandLine& line) {
  const CheckResult result = check_presentation(line.input, deep_check(line), interrupted);
  for (const std::string& finding : result.findings) print_text(stdout, "{}\n", printable_line(finding));
  if (!result.findings.empty()) {
    throw Failure{ExitCode::kCheckFailed, fmt::format("{}: wrong places: {}", line.input, result.findings.size())};
  }
  if (!line.quiet) {
    print_text(stdout, "{}: tracks: {}, segments: {}, all as they should be\n", line.input, result.tracks,
               result.segments);
  }
}

void say_numbers(const CommandLine& line, std::uint64_t segments, std::uint64_t first) {
  if (line.quiet || line.json) return;
  if (segments == 0) return print_text(stderr, "{}: no segment\n", line.output);
  print_text(stderr, "{}: segments: {}, numbers {} to {}\n", line.output, segments, first, first + segments - 1);
}

void run_live(const CommandLine& line) {
  const LiveOptions options = live_options(line);
  LiveResult result;
  {
    ProgressReport progress = report_of(line);
    result = stream_live(options, interrupted, progress);
  }
  warn_of_damage(line.input, result.damage);
  if (line.json) {
    print_result(line, with_damage({{"pictures", result.pictures},
                                    {"seconds", to_seconds(result.media)},
                                    {"segments", result.segments},
                                    {"first", result.first_number},
                                    {"leftOut", result.left_out},
                                    {"interruptions", result.interruptions}},
                                   result.damage));
  }
  if (result.left_out > 0) {
    print_text(stderr, "tributary-segment: the encoders were too slow: pictures left out: {} of {}\n", result.left_out,
               result.pictures);
  }
  say_numbers(line, result.segments, result.first_number);
}

void run_replay(const CommandLine& line) {
  ReplayResult result;
  {
    ProgressReport progress = report_of(line);
    result = replay_live(replay_options(line), interrupted, progress);
  }
  if (line.json) {
    print_result(
        line, {{"seconds", to_seconds(result.media)}, {"segments", result.segments}, {"first", result.first_number}});
  }
  say_numbers(line, result.segments, result.first_number);
}

void run(const CommandLine& line) {
  if (line.task == CommandLine::Task::kCheck) return run_check(line);
  if (line.task == CommandLine::Task::kPrepare &&
      !line.input.empty() + !line.synthetic.empty() + !line.join.empty() != 1) {
    throw UsageError("give a video file, --synthetic or --join (--help says more)");
  }
  if (line.output.empty() && !line.dry_run) throw UsageError("--output is missing: the directory for the presentation");
  if (line.task == CommandLine::Task::kPackage) return run_package(line);
  if (line.task == CommandLine::Task::kLive) return run_live(line);
  if (line.task == CommandLine::Task::kReplay) return run_replay(line);
  if (!line.join.empty()) return run_join(line);
  if (line.synthetic.empty()) return run_encode(line);
  run_synthetic(line);
}

int status_after(const std::exception& error) {
  ExitCode code = ExitCode::kCodec;  // the machine cannot do what is asked: no memory, no process
  if (const auto* const failure = dynamic_cast<const Failure*>(&error)) code = failure->code();
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr) code = ExitCode::kOutput;
  return static_cast<int>(code);
}

}  // namespace
}  // namespace tributary::segmenter

int main(int argc, char** argv) {
  using namespace tributary::segmenter;
  LibavComplaints::listen();
  if (argc == 2 && argv[1] == kEncoderProcess) return serve_encoder();
  CLI::App app{"", "tributary-segment"};
  CommandLine line;
  declare(app, line);
  const auto tell = [&](int status, const std::string& text) {
    if (line.json) print_event({{"event", "error"}, {"exit", status}, {"message", text}});
  };
  const tributary::ErrorEnds ends{.program = "tributary-segment", .other = status_after, .tell = tell};
  return tributary::run_program(ends, [&] {
    tributary::parse(app, argc, argv);
    note_signals();
    refuse_contradictions(app);
    run(line);
    return 0;
  });
}
