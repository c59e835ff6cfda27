#pragma once

#include "segmenter/libav/filter_chain.hh"
#include "segmenter/libav/input_decoder.hh"
#include "segmenter/libav/sound_adapter.hh"
#include "units/data_rate.hh"

namespace tributary::segmenter {

enum class SoundCodec { kAac, kOpus };

struct SoundEncoding {
  SoundCodec codec = SoundCodec::kAac;
  DataRate rate;
};

/// One encoder of sound, mono or stereo. Its clock counts samples: small errors of the source's timestamps are
/// ignored, holes of more than 30 ms are filled with silence, and sound before the first picture is cut off.
class AudioEncoder {
 public:
  AudioEncoder(const SoundFormat& source, const SoundEncoding& encoding);

  void push(AVFrame& sound);
  /// Encodes what has been pushed: calls use(AVPacket&) for each frame of sound, its pts counting samples
  /// from zero.
  template <typename Use>
  void encode(Use use) {
    while (const FrameHandle sound = chain_.pull(0)) send(sound.get(), use);
  }
  /// Encodes the rest. The whole sound has at least `frames` frames, and silence follows a source that ends
  /// earlier.
  template <typename Use>
  void finish(std::uint64_t frames, Use use) {
    chain_.end(AV_NOPTS_VALUE);
    while (sent_ < frames) send(chain_.pull(0).get(), use);
    send(nullptr, use);
  }

  int sample_rate() const { return encoder_->sample_rate; }
  int channels() const { return encoder_->ch_layout.nb_channels; }
  int frame_samples() const { return encoder_->frame_size; }
  /// For the muxer. They say nothing of samples to be dropped at the beginning: there are none.
  ParametersHandle parameters() const;

 private:
  template <typename Use>
  void send(AVFrame* sound, Use use) {
    if (sound != nullptr) sound->pts = static_cast<std::int64_t>(sent_++) * frame_samples() - lead_;
    encode_frame(*encoder_, sound, "cannot encode the sound", [&](AVPacket& packet) {
      // Before zero there is only silence, and what the encoder needs to get going (priming).
      if (packet.pts >= 0) use(packet);
    });
  }

  CodecHandle encoder_;
  /// Samples of silence before the source, so that a packet begins where the source does. What the encoder adds in front
  /// (priming) is not always a whole number of frames: 312 samples of Opus.
  int lead_;
  SoundAdapter adapter_;
  FilterChain chain_;
  std::uint64_t sent_ = 0;  // frames given to the encoder
};

}  // namespace tributary::segmenter
