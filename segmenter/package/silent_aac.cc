#include "segmenter/package/silent_aac.hh"

extern "C" {
#include <libavutil/samplefmt.h>
}

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace tributary::segmenter {
namespace {

/// The AAC-LC in the frames, by an AudioSpecificConfig (ISO/IEC 14496-3 section 1.6.2.1).
struct CoreConfig {
  int sample_rate = 0;
  unsigned channels = 0;  // channelConfiguration
};

class Bits {
 public:
  explicit Bits(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}

  /// Behind the end, bits are zero.
  unsigned take(int count) {
    unsigned value = 0;
    for (; count > 0; --count, ++at_) {
      const unsigned byte = at_ / 8 < bytes_.size() ? bytes_[at_ / 8] : 0;
      value = value << 1 | (byte >> (7 - at_ % 8) & 1);
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

std::optional<CoreConfig> core_config(std::span<const std::uint8_t> bytes) {
  constexpr unsigned kLowComplexity = 2, kSpectralBandReplication = 5, kParametricStereo = 29, kOwnRate = 15;
  constexpr std::array<int, 13> kRates{96000, 88200, 64000, 48000, 44100, 32000, 24000,
                                       22050, 16000, 12000, 11025, 8000,  7350};
  Bits bits{bytes};
  unsigned object = bits.take(5);
  const unsigned rate = bits.take(4);
  if (rate >= kRates.size()) return std::nullopt;
  const CoreConfig config{kRates[rate], bits.take(4)};
  if (object == kSpectralBandReplication || object == kParametricStereo) {
    if (bits.take(4) == kOwnRate) bits.take(24);
    object = bits.take(5);
  }
  if (object != kLowComplexity) return std::nullopt;
  return config;
}

/// Indexed by channelConfiguration (Table 1.19). 0 and 7 are left out, because they stand for several orders.
constexpr std::array<const char*, 7> kLayouts{"", "mono", "stereo", "3.0", "4.0", "5.0", "5.1"};

CodecHandle open_silence(const CoreConfig& config) {
  const AVCodec* const codec = avcodec_find_encoder_by_name("aac");
  if (codec == nullptr) return nullptr;
  CodecHandle encoder{avcodec_alloc_context3(codec)};
  if (!encoder) throw std::bad_alloc{};
  encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
  encoder->sample_rate = config.sample_rate;
  encoder->time_base = {1, config.sample_rate};
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  check(av_channel_layout_from_string(&encoder->ch_layout, kLayouts.at(config.channels)), ExitCode::kCodec,
        "cannot make silence");
  if (avcodec_open2(encoder.get(), codec, nullptr) < 0) return nullptr;
  const auto opened = core_config({encoder->extradata, static_cast<std::size_t>(encoder->extradata_size)});
  if (!opened || opened->channels != config.channels || opened->sample_rate != config.sample_rate) return nullptr;
  return encoder;
}

}  // namespace

PacketHandle silent_aac_frame(const AVCodecParameters& sound) {
  if (sound.codec_id != AV_CODEC_ID_AAC || sound.extradata_size <= 0) return nullptr;
  const auto config = core_config({sound.extradata, static_cast<std::size_t>(sound.extradata_size)});
  if (!config || config->channels == 0 || config->channels >= kLayouts.size()) return nullptr;
  const CodecHandle encoder = open_silence(*config);
  if (!encoder) return nullptr;
  const FrameHandle frame = make_frame();
  frame->format = encoder->sample_fmt;
  frame->sample_rate = encoder->sample_rate;
  frame->nb_samples = encoder->frame_size;
  check(av_channel_layout_copy(&frame->ch_layout, &encoder->ch_layout), ExitCode::kCodec, "cannot make silence");
  check(av_frame_get_buffer(frame.get(), 0), ExitCode::kCodec, "cannot make silence");
  av_samples_set_silence(frame->extended_data, 0, frame->nb_samples, frame->ch_layout.nb_channels, encoder->sample_fmt);
  constexpr int kFrames = 4;  // the first frame may name its encoder
  PacketHandle silent;
  const auto keep = [&](const AVPacket& packet) { silent = clone(packet); };
  for (int i = 0; i < kFrames; ++i) {
    frame->pts = static_cast<std::int64_t>(i) * encoder->frame_size;
    encode_frame(*encoder, frame.get(), "cannot make silence", keep);
  }
  encode_frame(*encoder, nullptr, "cannot make silence", keep);
  if (silent) av_packet_free_side_data(silent.get());
  return silent;
}

}  // namespace tributary::segmenter
