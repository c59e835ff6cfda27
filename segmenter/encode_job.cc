#include "segmenter/encode_job.hh"

#include <chrono>

#include "segmenter/audio_track.hh"
#include "segmenter/video_ladder_encoder.hh"

namespace tributary::segmenter {

EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted,
                    ProgressReport& progress) {
  const auto began = std::chrono::steady_clock::now();
  InputDecoder input{options.input, options.audio.has_value(), interrupted};
  const SegmentPlan plan{input.picture().rate, options.segment};
  const Publication publication{options.output, options.existing, options.layout};
  VideoLadderEncoder video{input.picture(), {options.ladder, options.preset}, plan, {publication}};
  std::optional<AudioTrack> audio;
  if (input.sound())
    audio.emplace(*input.sound(), *options.audio, video.offset(), plan, TrackDestination{publication});

  while (const auto decoded = input.next()) {
    if (decoded->kind == Decoded::Kind::kPicture) {
      video.add(*decoded->frame);
    } else {
      audio->add(*decoded->frame);
    }
    if (audio) audio->advance(video.pictures());
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
  if (audio) presentation.tracks.push_back(audio->finish(video.pictures()));
  const UtcTime now = utc_now();
  publish_presentation(publication, std::move(presentation), options.manifests, now, now);
  return {video.pictures(), plan.segments(video.pictures()), from_seconds(plan.seconds(video.pictures())),
          input.duration(), input.damaged_packets()};
}

}  // namespace tributary::segmenter
