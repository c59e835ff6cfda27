#include "segmenter/live_job.hh"

#include <cmath>
#include <exception>

#include "segmenter/audio_track.hh"
#include "segmenter/automatic_ladder.hh"
#include "segmenter/even_choice.hh"
#include "segmenter/live_input.hh"
#include "segmenter/video_ladder_encoder.hh"

namespace tributary::segmenter {
namespace {

/// What x264 waits for comes on top of the delay of each segment.
constexpr double kLookAheadSeconds = 0.25;
/// No encoder gets further behind than this; with half of it, pictures begin to be left out.
constexpr double kBehindSeconds = 1;
/// A source that is joined has kept so much, at the most, while it was examined.
constexpr double kBacklogSeconds = 5;

int pictures_in(double seconds, FrameRate rate) {
  return std::max(1, static_cast<int>(std::lround(seconds * rate.per_second())));
}

/// Counts what is left out.
class CountingChoice : public PictureChoice {
 public:
  CountingChoice(EvenChoice choice, const SegmentPlan& plan) : choice_{choice}, plan_{plan} {}
  bool keep(std::uint64_t picture, std::uint64_t behind) override {
    const bool kept = choice_.keep(picture, behind) || plan_.starts_segment(picture);
    if (!kept) ++left_out_;
    return kept;
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  EvenChoice choice_;
  SegmentPlan plan_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

LiveResult stream_live(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& progress) {
  const Publication publication{options.output, Publication::Existing::kContinue, options.layout};
  find_beginning(publication, utc_now());  // refuses before a source is waited for
  LiveInput input{options.input, options.repeat, options.audio ? SoundChoice::kBest : SoundChoice::kNone, stop};
  const auto began = std::chrono::steady_clock::now();
  const LiveBeginning beginning = find_beginning(publication, utc_now());
  const SegmentPlan plan{input.picture().rate, options.segment};
  LivePublication live{publication, beginning, options.window};
  const TrackDestination destination{publication, beginning.first_number, beginning.start, &live};

  const FrameRate rate = plan.frame_rate();
  const auto waiting = static_cast<std::size_t>(pictures_in(kBehindSeconds, rate));
  CountingChoice choice{{waiting, static_cast<std::uint64_t>(pictures_in(kBacklogSeconds, rate))}, plan};
  const std::vector<Quality> ladder = ladder_for(options.ladder, input.picture(), options.video.codec);
  VideoLadderEncoder video{input.picture(),
                           {.qualities = ladder,
                            .encoding = options.video,
                            .threads = threads_of_each(ladder.size()),
                            .look_ahead = pictures_in(kLookAheadSeconds, rate),
                            .waiting = waiting},
                           plan,
                           destination,
                           &choice};
  std::optional<AudioTrack> audio;
  if (input.sound() != nullptr) audio.emplace(kSoundName, *input.sound(), *options.audio, video.offset(), plan, destination);
  std::vector<Track> tracks = video.describe();
  if (audio) tracks.push_back(audio->describe());
  live.set_tracks(std::move(tracks), plan.seconds(static_cast<std::uint64_t>(plan.pictures_per_segment())));

  std::exception_ptr source_failed;
  try {
    while (const auto decoded = input.next()) {
      if (decoded->kind == Decoded::Kind::kPicture) {
        video.add(*decoded->frame);
      } else {
        audio->add(*decoded->frame);
      }
      if (audio) audio->advance(video.pictures());
      progress.update({video.pictures(), from_seconds(plan.seconds(video.pictures())), std::nullopt,
                       beginning.first_number + live.segments(), std::chrono::steady_clock::now() - began,
                       choice.left_out()});
      if (stop) break;
    }
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::kInput) throw;
    source_failed = std::current_exception();
  }
  video.end();
  video.finish();
  if (audio) audio->finish(video.pictures());
  live.end();
  if (source_failed) std::rethrow_exception(source_failed);
  if (live.segments() == 0 && !stop)
    throw Failure{ExitCode::kInput, options.input + ": no picture could be decoded"};
  return {live.segments(), beginning.first_number, video.pictures(), choice.left_out(),
          input.damaged_packets()};
}

}  // namespace tributary::segmenter
