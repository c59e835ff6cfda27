#include "segmenter/encode_job.hh"

#include <chrono>
#include <deque>

#include "segmenter/audio_track.hh"
#include "segmenter/automatic_ladder.hh"
#include "segmenter/subtitle_track.hh"
#include "segmenter/video_ladder_encoder.hh"

namespace tributary::segmenter {

namespace {

SoundChoice sounds_of(const EncodeOptions& options) {
  if (!options.audio) return SoundChoice::kNone;
  return options.all_sounds ? SoundChoice::kAll : SoundChoice::kBest;
}

/// "audio", "audio-2" ...; the names of a ladder are others.
std::string sound_id(std::size_t index) {
  return index == 0 ? "audio" : "audio-" + std::to_string(index + 1);
}

std::vector<Subtitles> subtitles_for(const EncodeOptions& options, const std::atomic<bool>& interrupted) {
  std::vector<Subtitles> all;
  if (options.source_subtitles) all = read_subtitles_of(options.input, interrupted);
  for (const SubtitleFile& file : options.subtitles) all.push_back(read_subtitles(file, interrupted));
  return all;
}

}  // namespace

EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted,
                    ProgressReport& progress) {
  EncoderDialect{options.video};  // refuses before anything is made
  InputDecoder input{options.input, sounds_of(options), interrupted};
  const SegmentPlan plan{input.picture().rate, options.segment};
  const std::vector<Subtitles> subtitles = subtitles_for(options, interrupted);
  const Publication publication{options.output, options.existing, options.layout};
  const std::vector<Quality> qualities = ladder_for(options.ladder, input.picture(), options.video.codec);
  std::optional<FirstPass> first;
  if (options.video.rate_control == RateControl::kTwoPass)
    first.emplace(options.input, qualities, options.video, plan, publication, interrupted, progress);
  LadderSettings ladder{qualities, options.video};
  if (first) ladder.first_pass = &*first;
  ladder.metrics = options.metrics;
  VideoLadderEncoder video{input.picture(), ladder, plan, {publication}};
  std::deque<AudioTrack> sounds;
  for (const SoundFormat& sound : input.sounds()) {
    sounds.emplace_back(sound_id(sounds.size()), sound, *options.audio, video.offset(), plan,
                        TrackDestination{publication});
  }

  const auto began = std::chrono::steady_clock::now();
  while (const auto decoded = input.next()) {
    if (decoded->kind == Decoded::Kind::kPicture) {
      video.add(*decoded->frame);
    } else {
      sounds[decoded->sound].add(*decoded->frame);
    }
    for (AudioTrack& sound : sounds) sound.advance(video.pictures());
    progress.update({video.pictures(), from_seconds(plan.seconds(video.pictures())), input.duration(),
                     plan.segments(video.pictures()), std::chrono::steady_clock::now() - began, 0,
                     first ? "pass 2 of 2" : ""});
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
  }
  video.end();
  if (video.pictures() == 0) throw Failure{ExitCode::kInput, options.input + ": no picture could be decoded"};

  Presentation presentation;
  presentation.nominal_segment_seconds =
      plan.seconds(static_cast<std::uint64_t>(plan.pictures_per_segment()));
  presentation.tracks = video.finish();
  for (AudioTrack& sound : sounds) presentation.tracks.push_back(sound.finish(video.pictures()));
  for (std::size_t i = 0; i < subtitles.size(); ++i) {
    presentation.tracks.push_back(publish_subtitles(publication, subtitles_id(i), subtitles[i], plan,
                                                    video.pictures(), presentation.tracks[0].offset));
  }
  const UtcTime now = utc_now();
  publish_presentation(publication, std::move(presentation), options.manifests, now, now);
  return {video.pictures(), plan.segments(video.pictures()), from_seconds(plan.seconds(video.pictures())),
          input.duration(), input.damaged_packets()};
}

}  // namespace tributary::segmenter
