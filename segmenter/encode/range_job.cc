#include "segmenter/encode/range_job.hh"

#include <fmt/format.h>

#include <deque>

#include "segmenter/encode/section_book.hh"
#include "segmenter/encoders/video_ladder_encoder.hh"
#include "segmenter/libav/input_file.hh"
#include "segmenter/sound/audio_track.hh"
#include "segmenter/subtitles/subtitle_track.hh"

namespace tributary::segmenter {
namespace {

/// Decoding begins earlier by this time, for filters that look back.
constexpr double kMarginSeconds = 0.5;

std::optional<PictureStart> start_for(const RangeJob& job, const SectionRange& range, const InputDecoder& input) {
  if (job.starts == nullptr || range.begin == 0) return std::nullopt;
  const double seconds = job.plan.seconds(range.begin * job.plan.pictures_per_section()) - kMarginSeconds;
  return job.starts->before(static_cast<std::int64_t>(seconds / av_q2d(input.picture().time_base)));
}

/// `offset`: ticks by which the picture is shifted.
void enter_end(const RangeJob& job, std::deque<AudioTrack>& sounds, std::uint64_t pictures, std::int64_t offset) {
  std::optional<Presentation> sound;
  if (!sounds.empty() || !job.subtitles.empty()) {
    sound.emplace();
    sound->nominal_segment_seconds = job.plan.seconds(static_cast<std::uint64_t>(job.plan.pictures_per_segment()));
    for (AudioTrack& track : sounds) sound->tracks.push_back(track.finish(pictures));
    for (std::size_t i = 0; i < job.subtitles.size(); ++i) {
      sound->tracks.push_back(
          publish_subtitles(job.publication, subtitles_id(i), job.subtitles[i], job.plan, pictures, offset));
    }
  }
  job.run.add_end(job.publication, std::move(sound), pictures);
}

}  // namespace

std::string sound_id(std::size_t index) {
  return index == 0 ? kSoundName : fmt::format("{}-{}", kSoundName, index + 1);
}

SoundChoice sounds_of(const EncodeOptions& options) {
  if (!options.audio) return SoundChoice::kNone;
  return options.all_sounds ? SoundChoice::kAll : SoundChoice::kBest;
}

SourceDamage encode_range(const RangeJob& job, const SectionRange& range) {
  const auto open = [&] {
    return InputDecoder{job.options.input, sounds_of(job.options), job.interrupted, job.decoder_threads};
  };
  try {
    InputDecoder input = open();
    input.encode_at(job.plan.frame_rate());
    if (const auto start = start_for(job, range, input)) input.start_at(*start);
    return encode_range(job, range, input);
  } catch (const NoStartThere&) {
    InputDecoder input = open();
    input.encode_at(job.plan.frame_rate());
    return encode_range(job, range, input);
  }
}

SourceDamage encode_range(const RangeJob& job, const SectionRange& range, InputDecoder& input) {
  const EncodeOptions& options = job.options;
  const SegmentPlan& plan = job.plan;
  const std::uint64_t first_picture = range.begin * plan.pictures_per_section();
  SectionBook book{job.run, job.publication, plan, range.begin, job.progress};
  LadderSettings settings{.qualities = options.ladder,
                          .encoding = options.video,
                          .first_picture = first_picture,
                          .first_pass = job.first_pass,
                          .metrics = options.metrics};
  if (range.end) {
    settings.end_picture = *range.end * plan.pictures_per_section();
    input.leave_out_sound();
  }
  VideoLadderEncoder video{
      input.picture(), settings, plan, {job.publication, range.begin * plan.segments_per_section() + 1, {}, &book}};
  book.set_tracks(video.describe());
  std::deque<AudioTrack> sounds;
  if (!range.end) {
    for (const SoundFormat& sound : input.sounds()) {
      sounds.emplace_back(sound_id(sounds.size()), sound, *options.audio, video.offset(), plan,
                          TrackDestination{job.publication, 1, {}, &book});
    }
  }

  while (!video.has_all()) {
    const auto decoded = input.next();
    if (!decoded) break;
    const std::uint64_t before = video.pictures();
    if (decoded->kind == Decoded::Kind::kPicture) {
      video.add(*decoded->frame);
    } else if (!sounds.empty()) {
      sounds[decoded->sound].add(*decoded->frame);
    }
    for (AudioTrack& sound : sounds) sound.advance(video.pictures());
    job.progress.pictures_done(video.pictures() - before);
    if (job.interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
    if (job.failed) return {};
  }
  const std::uint64_t before = video.pictures();
  video.end();
  job.progress.pictures_done(video.pictures() - before);
  if (video.pictures() == first_picture || (range.end && !video.has_all())) {
    const std::string where =
        video.pictures() == 0 ? "" : fmt::format(" from {:.3f} s on", plan.seconds(video.pictures()));
    throw Failure{ExitCode::kInput, fmt::format("{}: no picture could be decoded{}", shown_name(options.input), where)};
  }
  const std::vector<Track> tracks = video.finish();
  book.end();
  if (!range.end) enter_end(job, sounds, video.pictures(), tracks[0].offset);
  return input.damage();
}

}  // namespace tributary::segmenter
