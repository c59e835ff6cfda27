#include "segmenter/sound/audio_track.hh"

#include <cassert>

namespace tributary::segmenter {

AudioTrack::AudioTrack(const std::string& id, const SoundFormat& source, const SoundEncoding& encoding,
                       AVRational offset, const SegmentPlan& plan, const TrackDestination& destination)
    : plan_{plan},
      encoder_{source, encoding},
      segments_{id,
                {encoder_.parameters().get(), encoder_.sample_rate(), encoder_.channels(), encoder_.frame_samples(),
                 source.label, encoding.rate},
                offset,
                plan,
                destination} {}

void AudioTrack::add(AVFrame& sound) {
  encoder_.push(sound);
  encoder_.encode([this](const AVPacket& packet) { segments_.add(packet); });
}

Track AudioTrack::finish(std::uint64_t pictures) {
  // One frame more, so that a last segment shorter than half a frame of sound gets one, too.
  const std::uint64_t frames = plan_.sound_frames(pictures, encoder_.sample_rate(), encoder_.frame_samples()) + 1;
  encoder_.finish(frames, [this](const AVPacket& packet) { segments_.add(packet); });
  auto track = segments_.finish(pictures);
  assert(track);  // sound that ends early is followed by silence
  return *std::move(track);
}

}  // namespace tributary::segmenter
