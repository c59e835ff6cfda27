#include "segmenter/encode_job.hh"

#include <chrono>
#include <deque>

#include "segmenter/audio_track.hh"
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

}  // namespace

EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted,
                    ProgressReport& progress) {
  const auto began = std::chrono::steady_clock::now();
  InputDecoder input{options.input, sounds_of(options), interrupted};
  const SegmentPlan plan{input.picture().rate, options.segment};
  const Publication publication{options.output, options.existing, options.layout};
  VideoLadderEncoder video{input.picture(), {options.ladder, options.preset}, plan, {publication}};
  std::deque<AudioTrack> sounds;
  for (const SoundFormat& sound : input.sounds()) {
    sounds.emplace_back(sound_id(sounds.size()), sound, *options.audio, video.offset(), plan,
                        TrackDestination{publication});
  }

  while (const auto decoded = input.next()) {
    if (decoded->kind == Decoded::Kind::kPicture) {
      video.add(*decoded->frame);
    } else {
      sounds[decoded->sound].add(*decoded->frame);
    }
    for (AudioTrack& sound : sounds) sound.advance(video.pictures());
    progress.update({video.pictures(), from_seconds(plan.seconds(video.pictures())), input.duration(),
                     plan.segments(video.pictures()), std::chrono::steady_clock::now() - began});
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
  }
  video.end();
  if (video.pictures() == 0) throw Failure{ExitCode::kInput, options.input + ": no picture could be decoded"};

  Presentation presentation;
  presentation.nominal_segment_seconds =
      plan.seconds(static_cast<std::uint64_t>(plan.pictures_per_segment()));
  presentation.tracks = video.finish();
  for (AudioTrack& sound : sounds) presentation.tracks.push_back(sound.finish(video.pictures()));
  publish_presentation(publication, std::move(presentation), options.manifests);
  return {video.pictures(), plan.segments(video.pictures()), from_seconds(plan.seconds(video.pictures())),
          input.duration(), input.damaged_packets()};
}

}  // namespace tributary::segmenter
