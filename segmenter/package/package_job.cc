#include "segmenter/package/package_job.hh"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "segmenter/encode/encode_plan.hh"
#include "segmenter/encode/encode_progress.hh"
#include "segmenter/package/file_agreement.hh"
#include "segmenter/package/file_key_frames.hh"
#include "segmenter/package/packaged_input.hh"
#include "segmenter/subtitles/subtitle_track.hh"
#include "segmenter/thumbnails/thumbnails.hh"

namespace tributary::segmenter {
namespace {

using Inputs = std::vector<std::unique_ptr<PackagedInput>>;

class PackageJob {
 public:
  PackageJob(const PackageOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress)
      : options_{options}, interrupted_{interrupted}, report_{progress} {}

  EncodeResult run() {
    open();
    const SegmentPlan plan = make_plan();
    const Publication publication{options_.output, options_.existing, options_.layout};
    try {
      return pack(publication, plan);
    } catch (...) {
      publication.withdraw();
      throw;
    }
  }

 private:
  /// Cuts are where qualities agree in key frames; those that differ are refused, or encoded anew. What can be read only
  /// once is cut as wished, or refused.
  SegmentPlan make_plan() {
    const SegmentPlan wished{qualities_[0]->source().picture()->rate, options_.segment};
    std::vector<KeyFrames> files;
    for (const PackageInput& input : options_.inputs) {
      if (!opened_as(input.name).source().picture()) continue;
      if (!can_be_read_again(input.path)) return wished;
      files.push_back(key_frames_of(input.path, interrupted_));
    }
    Agreement found =
        agreement(files, static_cast<std::uint64_t>(wished.pictures_per_segment()), longest_stretches(wished));
    if (!found.differing.empty() && !(found.reference && options_.encode_differing))
      throw Failure{ExitCode::kInput, differences_text(files, found, wished)};
    std::uint64_t pictures = files[0].pictures;
    for (const KeyFrames& file : files) pictures = std::max(pictures, file.pictures);
    remark_on_lengths(found.cuts, pictures, wished);
    SegmentPlan plan{wished.frame_rate(), options_.segment, std::move(found.cuts), pictures};
    for (const DifferingFile& differing : found.differing) encode_anew(differing.file, files, *found.reference, plan);
    return plan;
  }

  void encode_anew(std::size_t i, const std::vector<KeyFrames>& files, std::size_t reference, const SegmentPlan& plan) {
    const double seconds = plan.seconds(files[i].pictures);
    qualities_[i]->encode_anew(DataRate::bits_per_second(8 * static_cast<double>(files[i].bytes) / seconds), plan);
    watched_ = i;  // takes longer than the others
    remarks_.push_back(
        fmt::format("{}: encoded anew, with key frames where {} has some", files[i].file, files[reference].file));
  }

  /// The last segment may be short in any case.
  void remark_on_lengths(const std::vector<std::uint64_t>& cuts, std::uint64_t pictures, const SegmentPlan& wished) {
    std::uint64_t shortest = cuts.size() > 1 ? cuts[1] : pictures, longest = pictures - cuts.back();
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      shortest = std::min(shortest, cuts[i] - cuts[i - 1]);
      longest = std::max(longest, cuts[i] - cuts[i - 1]);
    }
    const std::uint64_t wish = wished.begin(1);
    if (2 * shortest >= wish && 2 * longest <= 3 * wish) return;
    remarks_.push_back(
        fmt::format("segments last up to {:.3f} s, and not {:.3f} s each: they begin where the files have key "
                    "frames",
                    wished.seconds(longest), wished.seconds(wish)));
  }

  EncodeResult pack(const Publication& publication, const SegmentPlan& plan) {
    progress_.emplace(report_, plan);
    progress_->expect(qualities_[0]->source().duration());
    begin(plan, {publication, 1, {}, &*progress_});
    pack_qualities();
    const std::uint64_t pictures = qualities_[0]->pictures();
    check_lengths(plan);

    Presentation presentation;
    presentation.title = title();
    presentation.chapters = chapters();
    presentation.nominal_segment_seconds = plan.seconds(static_cast<std::uint64_t>(plan.pictures_per_segment()));
    for (const auto& quality : qualities_) presentation.tracks.push_back(quality->finish_picture());
    for (PackagedInput* sound : sounds_) {
      if (!sound->source().picture()) sound->run(pictures, [this] { stop_if_interrupted(); });
      std::ranges::move(sound->finish_sounds(pictures), std::back_inserter(presentation.tracks));
    }
    const std::int64_t offset = presentation.tracks[0].offset;
    for (std::size_t i = 0; i < subtitles_.size(); ++i) {
      presentation.tracks.push_back(
          publish_subtitles(publication, subtitles_id(i), subtitles_[i], plan, pictures, offset));
    }
    if (options_.thumbnails) presentation.sheets = publish_thumbnails(publication, presentation.tracks, interrupted_);
    progress_->end();
    publish_presentation(publication, std::move(presentation), options_.manifests);
    return {pictures,
            plan.segments(pictures),
            from_seconds(plan.seconds(pictures)),
            qualities_[0]->source().duration(),
            {},
            0,
            remarks()};
  }

  void open() {
    for (const PackageInput& input : options_.inputs) {
      auto opened = std::make_unique<PackagedInput>(input.name, input.path, interrupted_, options_.sound);
      auto& kind = opened->source().picture() ? qualities_ : only_sound_;
      kind.push_back(std::move(opened));
    }
    if (qualities_.empty()) throw Failure{ExitCode::kInput, "none of the files has a picture"};
    for (const auto& quality : qualities_) check_agreement(*qualities_[0], *quality);
    for (const auto& sound : only_sound_) sounds_.push_back(sound.get());
    for (const auto& quality : qualities_) {
      if (quality->source().sounds() == 0) continue;
      if (sounds_.empty()) {
        sounds_.push_back(quality.get());
      } else {
        quality->source().drop_sounds();
        remarks_.push_back(fmt::format("{}: left out: its sound, since that of {} is taken", quality->source().name(),
                                       sounds_[0]->source().name()));
      }
    }
    open_subtitles();
  }

  void open_subtitles() {
    for (const SubtitleFile& file : options_.subtitles) subtitles_.push_back(read_subtitles(file, interrupted_));
    if (!options_.source_subtitles) return;
    std::string taken;
    for (const PackageInput& input : options_.inputs) {
      PackagedInput& opened = opened_as(input.name);
      if (!opened.source().has_text()) continue;
      if (!taken.empty()) {
        remarks_.push_back(
            fmt::format("{}: left out: its subtitles, since those of {} are taken", opened.source().name(), taken));
        continue;
      }
      taken = opened.source().name();
      for (Subtitles& subtitles : read_subtitles_of(input.path, interrupted_)) {
        for (SubtitleCue& cue : subtitles.cues) {
          cue.begin = std::max(Duration{}, cue.begin - opened.source().skipped());
          cue.end -= opened.source().skipped();
        }
        std::erase_if(subtitles.cues, [](const SubtitleCue& cue) { return cue.end <= Duration{}; });
        if (!subtitles.cues.empty()) subtitles_.push_back(std::move(subtitles));
      }
    }
  }

  std::string title() const {
    if (options_.title) return *options_.title;
    for (const auto& quality : qualities_) {
      if (std::string stated = quality->source().title(); !stated.empty()) return stated;
    }
    return "";
  }

  std::vector<Chapter> chapters() const {
    for (const auto& quality : qualities_) {
      if (std::vector<Chapter> stated = quality->source().chapters(); !stated.empty()) return stated;
    }
    return {};
  }

  PackagedInput& opened_as(const std::string& id) {
    for (const Inputs* inputs : {&qualities_, &only_sound_}) {
      for (const auto& input : *inputs) {
        if (input->id() == id) return *input;
      }
    }
    throw std::logic_error{"no input " + id};
  }

  /// Names for the sounds of one input: "audio", "audio-2"; if several inputs have sound, by the name of the input.
  std::vector<std::string> sound_ids(PackagedInput& input) {
    const std::string base = only_sound_.size() > 1 ? input.id() : kSoundName;
    std::vector<std::string> ids;
    for (int number = 1; ids.size() < input.source().sounds(); ++number) {
      const std::string id = number == 1 ? base : fmt::format("{}-{}", base, number);
      const bool is_taken = std::ranges::any_of(options_.inputs, [&](const PackageInput& other) {
        return other.name == id && (id != input.id() || input.source().picture());
      });
      if (!is_taken && ids_.insert(id).second) ids.push_back(id);
    }
    return ids;
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> all = remarks_;
    for (const Inputs* inputs : {&qualities_, &only_sound_}) {
      for (const auto& input : *inputs) std::ranges::move(input->remarks(), std::back_inserter(all));
    }
    return all;
  }

  void begin(const SegmentPlan& plan, const TrackDestination& destination) {
    int reordering = 0;
    std::vector<Track> tracks;
    for (const auto& quality : qualities_) {
      reordering = std::max(reordering, quality->reordering());
    }
    for (const Inputs* inputs : {&qualities_, &only_sound_}) {
      for (const auto& input : *inputs) {
        input->begin(sound_ids(*input), reordering, plan, destination);
        std::ranges::move(input->describe(), std::back_inserter(tracks));
      }
    }
    const double segment = plan.seconds(static_cast<std::uint64_t>(plan.pictures_per_segment()));
    report_.event(plan_event(plan_of(tracks, segment, qualities_[0]->source().duration())));
  }

  /// Packs the quality whose progress is told in this thread, and each other one in a thread of its own.
  void pack_qualities() {
    std::vector<std::exception_ptr> errors(qualities_.size());
    std::atomic<bool> stop{false};
    const auto pack = [&](std::size_t i, const std::function<void()>& look) {
      try {
        qualities_[i]->run(0, [&] {
          if (stop) throw Failure{ExitCode::kInterrupted, "another file cannot be packed"};
          look();
        });
      } catch (...) {
        // Keeps the reason of the first failure. Threads that fail later were only told to stop.
        if (!stop.exchange(true)) errors[i] = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < qualities_.size(); ++i) {
        if (i == watched_) continue;
        threads.emplace_back([&pack, this, i] { pack(i, [this] { stop_if_interrupted(); }); });
      }
      pack(watched_, [this, done = std::uint64_t{0}]() mutable {
        stop_if_interrupted();
        const std::uint64_t pictures = qualities_[watched_]->pictures();
        progress_->pictures_done(pictures - std::exchange(done, pictures));
      });
    }
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

  void check_lengths(const SegmentPlan& plan) {
    PackagedInput& first = *qualities_[0];
    for (const auto& other : qualities_) {
      if (other->pictures() == first.pictures()) continue;
      throw Failure{ExitCode::kInput,
                    fmt::format("{} ends at {:.3f} s, but {} at {:.3f} s: all qualities have the same pictures",
                                first.source().name(), plan.seconds(first.pictures()), other->source().name(),
                                plan.seconds(other->pictures()))};
    }
  }

  void stop_if_interrupted() const {
    if (interrupted_) throw Failure{ExitCode::kInterrupted, "interrupted"};
  }

  const PackageOptions& options_;
  const std::atomic<bool>& interrupted_;
  ProgressReport& report_;
  std::optional<EncodeProgress> progress_;
  Inputs qualities_, only_sound_;
  std::size_t watched_ = 0;  // the quality whose progress is told
  std::vector<PackagedInput*> sounds_;
  std::vector<Subtitles> subtitles_;
  std::set<std::string> ids_;  // of sounds
  std::vector<std::string> remarks_;
};

}  // namespace

PackageInput parse_package_input(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos && is_quality_name(text.substr(0, equals))) {
    return {std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}};
  }
  const std::string path{text};
  std::string name = std::filesystem::path{path}.stem().string();
  if (!is_quality_name(name)) {
    throw std::invalid_argument(fmt::format(
        "\"{}\" is no name for a quality (letters, digits, \"-\" and \"_\"): give one as NAME={}", name, path));
  }
  return {std::move(name), path};
}

EncodeResult package(const PackageOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress) {
  return PackageJob{options, interrupted, progress}.run();
}

}  // namespace tributary::segmenter
