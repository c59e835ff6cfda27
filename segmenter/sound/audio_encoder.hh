#pragma once

#include "segmenter/filters/filter_chain.hh"
#include "segmenter/filters/sound_adapter.hh"
#include "segmenter/libav/input_decoder.hh"
#include "units/data_rate.hh"

namespace tributary::segmenter {

enum class SoundCodec { kAac, kOpus };

struct SoundEncoding {
  SoundCodec codec = SoundCodec::kAac;
  DataRate rate;
  bool stretches = false;  // follows a clock that drifts, without cuts
};

/// One encoder of sound, mono or stereo. Its clock counts samples. Small errors of the source's timestamps are ignored
/// unless the sound stretches, silence fills holes of more than 30 ms, and sound before the first picture is cut off.
class AudioEncoder {
 public:
  AudioEncoder(const SoundFormat& source, const SoundEncoding& encoding);

  void push(AVFrame& sound);
  /// Encodes the sound that was pushed. Calls use(AVPacket&) for each frame of sound; its pts counts samples from zero.
  template <typename Use>
  void encode(Use use) {
    while (const FrameHandle sound = chain_.pull(0)) send(sound.get(), use);
  }
  /// Encodes the rest. The whole sound has at least `frames` frames; if the source ends earlier, silence follows.
  template <typename Use>
  void finish(std::uint64_t frames, Use use) {
    chain_.end(AV_NOPTS_VALUE);
    while (sent_ < frames) send(chain_.pull(0).get(), use);
    send(nullptr, use);
  }

  int sample_rate() const { return encoder_->sample_rate; }
  int channels() const { return encoder_->ch_layout.nb_channels; }
  int frame_samples() const { return encoder_->frame_size; }
  /// Parameters for the muxer. They name no samples to drop at the beginning, because there are none.
  ParametersHandle parameters() const;

 private:
  template <typename Use>
  void send(AVFrame* sound, Use use) {
    if (sound != nullptr) sound->pts = static_cast<std::int64_t>(sent_++) * frame_samples() - lead_;
    encode_frame(*encoder_, sound, "cannot encode the sound", [&](AVPacket& packet) {
      // Packets before zero hold only silence and the encoder's priming.
      if (packet.pts >= 0) use(packet);
    });
  }

  CodecHandle encoder_;
  /// Samples of silence before the source, so that a packet begins where the source does. The priming that an encoder
  /// adds in front is not always a whole number of frames: Opus adds 312 samples.
  int lead_;
  SoundAdapter adapter_;
  FilterChain chain_;
  std::uint64_t sent_ = 0;  // frames given to the encoder
};

}  // namespace tributary::segmenter
