#include "segmenter/encode/encode_job.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "segmenter/encode/automatic_ladder.hh"
#include "segmenter/encode/encode_plan.hh"
#include "segmenter/encode/encode_terms.hh"
#include "segmenter/encode/finish_run.hh"
#include "segmenter/encode/range_job.hh"
#include "segmenter/encode/section_ranges.hh"
#include "segmenter/encoders/encoder_dialect.hh"
#include "segmenter/encoders/video_ladder_encoder.hh"
#include "segmenter/libav/input_file.hh"

namespace tributary::segmenter {
namespace {

/// The content of the output directory, and its treatment.
struct EarlierRun {
  std::optional<UnfinishedRun> run;  // if its terms are the same
  Publication::Existing existing;
};

EarlierRun earlier_run(const EncodeOptions& options, const EncodeTerms& terms) {
  if (options.existing != Publication::Existing::kRefuse || terms.empty()) return {std::nullopt, options.existing};
  auto run = UnfinishedRun::find(options.output);
  if (!run) return {std::nullopt, options.existing};
  const std::string other = difference(terms, run->terms());
  if (run->is_empty() && (!other.empty() || run->shard() != options.shard))
    return {std::nullopt, Publication::Existing::kReplace};
  const auto refuse = [&](const std::string& why) {
    throw Failure{
        ExitCode::kUsage,
        fmt::format("{} holds an unfinished presentation, and cannot go on with it: {} (--force begins afresh)",
                    options.output.string(), why)};
  };
  if (!other.empty()) refuse(other);
  const auto text = [](const std::optional<ShardNumber>& shard) {
    return shard ? fmt::format("{}/{}", shard->number, shard->of) : "not given";
  };
  if (run->shard() != options.shard) {
    refuse(fmt::format("--shard is {}, but was {}", text(options.shard), text(run->shard())));
  }
  return {std::move(run), Publication::Existing::kContinue};
}

/// Encodes the ranges in several threads. Begins with the last range, which takes longest because of the sound.
SourceDamage encode_all(const RangeJob& job, const std::vector<SectionRange>& ranges, std::size_t threads,
                        std::atomic<bool>& failed) {
  std::atomic<std::size_t> begun = 0;
  SourceDamage damage;
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::size_t i = begun++; i < ranges.size() && !failed; i = begun++) {
        const SourceDamage more = encode_range(job, ranges[ranges.size() - 1 - i]);
        const std::lock_guard lock{mutex};
        damage += more;
      }
    } catch (...) {
      const std::lock_guard lock{mutex};
      if (!error) error = std::current_exception();
      failed = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
  return damage;
}

/// With what the source decides.
EncodeOptions completed(EncodeOptions options, const InputDecoder& source) {
  options.ladder = ladder_for(options.ladder, source.picture(), options.video.codec);
  if (!options.title) options.title = source.title();
  options.chapters = source.chapters();
  return options;
}

/// The subtitles belong to the end of the title: other shards have none.
std::vector<Subtitles> subtitles_for(const EncodeOptions& options, const std::atomic<bool>& interrupted) {
  std::vector<Subtitles> all;
  if (options.shard && options.shard->number != options.shard->of) return all;
  if (options.source_subtitles) all = read_subtitles_of(options.input, interrupted);
  for (const SubtitleFile& file : options.subtitles) all.push_back(read_subtitles(file, interrupted));
  return all;
}

class EncodeJob {
 public:
  EncodeJob(const EncodeOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress)
      : interrupted_{interrupted},
        input_{options.input, sounds_of(options), interrupted},
        survey_{survey(input_, options, interrupted)},
        options_{completed(options, input_)},
        terms_{terms_of(options_)},
        plan_{input_.picture().rate, options.segment, options.section},
        report_{progress},
        progress_{progress, plan_},
        subtitles_{subtitles_for(options, interrupted)} {
    progress.event(plan_event(plan_of(input_, options_, survey_.rate)));
    if (survey_.rate.source != PictureRate::Source::kConstant || survey_.rate.lost.value_or(0) > 0)
      progress.say(rate_text(survey_.rate));
    for (const std::string& remark : input_.remarks()) progress.remark(remark);
    for (const Subtitles& subtitles : subtitles_) {
      if (!subtitles.remark.empty()) progress.remark(subtitles.remark);
    }
  }

  EncodeResult run() {
    if (options_.shard && terms_.empty())
      throw Failure{ExitCode::kUsage,
                    fmt::format("--shard: {} or a file of subtitles is no file", shown_name(options_.input))};
    auto [earlier, existing] = earlier_run(options_, terms_);
    const Publication publication{options_.output, existing, {.chunk = options_.layout.chunk}};
    const bool goes_on = earlier.has_value();
    UnfinishedRun run = goes_on ? *std::move(earlier) : UnfinishedRun{terms_, options_.shard};
    const std::uint64_t before = run.segments();
    if (!goes_on) run.begin(publication);
    const FinishTerms finish_terms{options_.title.value_or(""), options_.chapters, options_.layout, options_.manifests,
                                   options_.thumbnails};
    std::error_code error;
    if (goes_on && std::filesystem::exists(publication.path(std::string{kIndexName}), error)) {
      remove_leftovers(publication, run, finish_terms);
    } else {
      encode_missing(publication, run);
      progress_.end();
      if (options_.shard) {
        run.add_shard_end(publication);
      } else {
        finish(publication, run, finish_terms, interrupted_);
      }
    }
    const std::uint64_t pictures = pictures_of(run);
    std::vector<std::string> remarks;
    if (empty_shard_) remarks.push_back(*empty_shard_);
    for (const std::string& left_out : input_.left_out())
      remarks.push_back(fmt::format("{}: left out: {}", shown_name(options_.input), left_out));
    return {pictures,
            run.segments(),
            from_seconds(plan_.seconds(pictures)),
            options_.shard ? std::nullopt : input_.duration(),
            damage_,
            before,
            remarks};
  }

 private:
  std::uint64_t pictures_of(const UnfinishedRun& run) const {
    std::uint64_t ticks = 0;
    for (const auto& [number, section] : run.sections()) {
      for (const std::uint64_t segment : section.tracks[0].durations) ticks += segment;
    }
    return ticks / static_cast<std::uint64_t>(plan_.picture_ticks());
  }

  /// Null if there is only one pass, or if the second is done.
  std::unique_ptr<FirstPass> first_pass(const Publication& publication, const UnfinishedRun& run) {
    const bool is_done = run.has_section(0) && run.pictures();
    if (options_.video.rate_control != RateControl::kTwoPass || is_done) return nullptr;
    auto pass = std::make_unique<FirstPass>(options_.input, options_.ladder, options_.video, plan_, publication,
                                            interrupted_, report_);
    progress_.begin_pass("pass 2 of 2");
    return pass;
  }

  void encode_missing(const Publication& publication, UnfinishedRun& run) {
    const auto jobs =
        static_cast<std::size_t>(options_.jobs > 0 ? options_.jobs : threads_of_each(options_.ladder.size()));
    std::atomic<bool> failed = false;
    const std::unique_ptr<FirstPass> first = first_pass(publication, run);
    RangeJob job{options_, plan_,      publication, run,     progress_, interrupted_,
                 failed,   subtitles_, first.get(), nullptr, 0};
    const bool may_be_cut = !terms_.empty() && input_.duration().value_or(Duration::max()) > options_.section;
    if (run.sections().empty() && !options_.shard && !run.pictures() && (jobs == 1 || !may_be_cut)) {
      progress_.expect(input_.duration());
      damage_ = encode_range(job, {}, input_);
      return;
    }
    const PictureStarts starts = survey_.starts ? *survey_.starts : input_.find_starts();
    const double seconds = static_cast<double>(starts.end) * av_q2d(input_.picture().time_base);
    const auto pictures = static_cast<std::uint64_t>(std::llround(seconds * plan_.frame_rate().per_second()));
    const SectionRange own = shard_of(sections_of(pictures, plan_), options_.shard.value_or(ShardNumber{}));
    std::vector<SectionRange> missing = missing_ranges(own, sections_of(pictures, plan_), run);
    std::uint64_t sections = 0;
    for (const SectionRange& range : missing)
      sections += range.end.value_or(sections_of(pictures, plan_)) - range.begin;
    progress_.expect(from_seconds(plan_.seconds(std::min(sections * plan_.pictures_per_section(), pictures))));
    if (options_.shard) empty_shard_ = empty_shard(sections_of(pictures, plan_), *options_.shard, options_.section);
    if (missing.empty()) return;
    if (jobs > 1) missing = split(missing, sections_of(pictures, plan_), kRangesPerJob * jobs);
    job.starts = &starts;
    const std::size_t threads = std::min(jobs, missing.size());
    job.decoder_threads = threads == 1 ? 0 : std::max(1, threads_of_each(threads));
    damage_ = encode_all(job, missing, threads, failed);
  }

  /// Few, because each range has to read the file up to its beginning; more than one, because some take longer than
  /// others.
  static constexpr std::size_t kRangesPerJob = 3;

  const std::atomic<bool>& interrupted_;
  InputDecoder input_;
  const Survey survey_;
  const EncodeOptions options_;
  const EncodeTerms terms_;
  const SegmentPlan plan_;
  ProgressReport& report_;
  EncodeProgress progress_;
  const std::vector<Subtitles> subtitles_;
  std::optional<std::string> empty_shard_;  // why this shard has no section
  SourceDamage damage_;
};

}  // namespace

EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress) {
  [[maybe_unused]] const EncoderDialect known{options.video};  // throws before any file is made
  return EncodeJob{options, interrupted, progress}.run();
}

}  // namespace tributary::segmenter
