#include "segmenter/cli/prepare_task.hh"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "command_line/choice.hh"
#include "command_line/program_end.hh"
#include "command_line/read_option.hh"
#include "presentation/json/json_error.hh"
#include "segmenter/cli/encoding_words.hh"
#include "segmenter/cli/shared_options.hh"
#include "segmenter/encode/encode_plan.hh"
#include "segmenter/encode/join_job.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/fresh_memory.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/synthetic/synthetic_job.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

constexpr const char* kLongGroup = "Long films, on several machines";
constexpr const char* kSyntheticGroup = "Plain bytes, for benchmarks";

std::uint64_t read_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc{} || parsed != end) throw UsageError("--synthetic: a seed is a whole number");
  return seed;
}

SyntheticMovie movie_of(const SyntheticOptions& options) {
  constexpr std::string_view kThesis = "thesis", kWithSeed = "thesis:";
  if (options.sizes == kThesis) return thesis_movie(0, options.segments);
  if (options.sizes.starts_with(kWithSeed))
    return thesis_movie(read_seed(std::string_view{options.sizes}.substr(kWithSeed.size())), options.segments);
  const auto sizes = read_file(options.sizes);
  if (!sizes) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", options.sizes)};
  try {
    return read_movie(*sizes);
  } catch (const JsonError& error) {
    throw Failure{ExitCode::kInput, fmt::format("{}: {}", options.sizes, error.what())};
  }
}

}  // namespace

PrepareTask::PrepareTask(CLI::App& app, Messages& messages) : Task{app, messages} {
  app.add_option("FILE", encoding_.input, "The video to encode; - is standard input.");
  declare_output(app, encoding_.output, encoding_.manifests);
  declare_messages(app, messages);
  declare_encoding(app, encoding_);
  add_choice<bool>(app, "--audio-tracks", encoding_.all_sounds, {{"best", false}, {"all", true}},
                   "Take the best sound of the source, or all of them (languages, comments).")
      ->default_str("best")
      ->group(kSoundGroup);
  declare_sections();
  declare_subtitles(app, encoding_.source_subtitles, encoding_.subtitles);
  add_read(app, "--quality", encoding_.metrics, parse_metrics,
           "Measure for each segment how like its source the picture is: psnr, ssim or psnr,ssim.")
      ->option_text("METRICS")
      ->group(kPictureGroup);
  declare_synthetic();
  declare_layout(app, encoding_.layout, encoding_.thumbnails, encoding_.existing);
}

void PrepareTask::declare_sections() {
  add_read(command_, "--section", encoding_.section, parse_duration,
           "Let encoders begin afresh after this time; an interrupted run goes on from there.")
      ->default_str("60s")
      ->option_text("TIME");
  command_.add_option("--jobs", encoding_.jobs, "Encode this many sections at once; 0 keeps all cores busy.")
      ->capture_default_str()
      ->check(CLI::Range(0, 256))
      ->option_text("N");
  add_read(command_, "--shard", encoding_.shard, parse_shard, "Encode only the K-th of N shards, for --join.")
      ->option_text("K/N");
  command_.add_flag("--dry-run", dry_run_, "Say what would be made, and write nothing.");
  const auto path = [](const std::string& text) { return std::filesystem::path{text}; };
  add_each(command_, "--join", shards_, path, "Put these shards together, as one run would have made them.")
      ->option_text("DIR...");
  group(command_, kLongGroup, {"--section", "--jobs", "--shard", "--dry-run", "--join"});
}

void PrepareTask::declare_synthetic() {
  command_
      .add_option("--synthetic", synthetic_.sizes,
                  "Write plain bytes instead of encoding. SIZES is a JSON file of sizes, or thesis[:SEED].")
      ->option_text("SIZES");
  command_
      .add_flag("--index-only", synthetic_.index_only,
                "With --synthetic, write the index and no bytes, for simulations.")
      ->needs("--synthetic");
  command_
      .add_option("--segments", synthetic_.segments, "With --synthetic thesis, write this many segments, 10 or more.")
      ->needs("--synthetic")
      ->capture_default_str()
      ->check(CLI::Range(10, 1000000))
      ->option_text("N");
  group(command_, kSyntheticGroup, {"--synthetic", "--index-only", "--segments"});
}

/// Options without a meaning beside --synthetic or --join.
void PrepareTask::refuse_contradictions() const {
  for (const std::string form : {"--synthetic", "--join"}) {
    if (command_.count(form) == 0) continue;
    for (const CLI::Option* const option : command_.get_options()) {
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

void PrepareTask::settle() {
  refuse_contradictions();
  if (!encoding_.input.empty() + !synthetic_.sizes.empty() + !shards_.empty() != 1)
    throw UsageError("give a video file, --synthetic or --join");
  if (!dry_run_) expect_output(encoding_.output);
  if (synthetic_.index_only && encoding_.layout.single_file)
    throw UsageError("--index-only: there is no single file without segments");
  if (encoding_.input.empty()) return;
  check_encoding(encoding_);
  if (encoding_.layout.frame_index && encoding_.video.codec != VideoCodec::kH264)
    throw UsageError("--frame-index: kinds of frames are known of H.264 only");
  if (encoding_.section < encoding_.segment || encoding_.section > 24h)
    throw UsageError("--section: a section lasts from one segment to 24h");
  if (encoding_.video.rate_control != RateControl::kTwoPass) return;
  if (encoding_.input == "-")
    throw UsageError("--rate-control 2pass: reads its input twice, which standard input cannot be");
  if (encoding_.shard)
    throw UsageError("--shard: --rate-control 2pass needs all of the film, and makes it in one piece");
  encoding_.section = kUndivided;
}

void PrepareTask::run(const std::atomic<bool>& interrupted) const {
  if (!synthetic_.sizes.empty()) return run_synthetic(interrupted);
  if (shards_.empty()) return run_encode(interrupted);
  messages_.tell_result(encoding_.output, join({shards_, encoding_.output, encoding_.existing}, interrupted));
}

void PrepareTask::run_encode(const std::atomic<bool>& interrupted) const {
  zero_allocated_memory();
  if (dry_run_) {
    const EncodePlan plan = plan_encoding(encoding_, interrupted);
    return messages_.json ? print_event(plan_event(plan)) : print_text(stdout, plan_text(plan));
  }
  report_on(messages_, encoding_.input, encoding_.output,
            [&](ProgressReport& progress) { return encode(encoding_, interrupted, progress); });
}

void PrepareTask::run_synthetic(const std::atomic<bool>& interrupted) const {
  const SyntheticMovie movie = movie_of(synthetic_);
  write_synthetic(movie, Publication{encoding_.output, encoding_.existing, encoding_.layout}, synthetic_.index_only,
                  interrupted);
  messages_.tell_result(encoding_.output, nlohmann::ordered_json{{"segments", movie.qualities[0].sizes.size()}});
  if (messages_.for_people()) {
    print_text(stderr, "{}: qualities: {}, segments: {}\n", encoding_.output.string(), movie.qualities.size(),
               movie.qualities[0].sizes.size());
  }
}

}  // namespace tributary::segmenter
