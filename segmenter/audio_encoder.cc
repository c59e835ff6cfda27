#include "segmenter/audio_encoder.hh"

extern "C" {
#include <libavfilter/buffersink.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tributary::segmenter {
namespace {

/// 44.1 and 48 kHz play everywhere; other rates become the one of their family.
int encoded_rate(int source_rate) { return source_rate % 11025 == 0 ? 44100 : 48000; }

CodecHandle open_encoder(const SoundFormat& source, DataRate rate) {
  const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_AAC);
  if (codec == nullptr) throw Failure{ExitCode::kCodec, "this libavcodec was built without an AAC encoder"};
  CodecHandle encoder{avcodec_alloc_context3(codec)};
  if (!encoder) throw std::bad_alloc{};
  encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
  encoder->sample_rate = encoded_rate(source.sample_rate);
  encoder->time_base = {1, encoder->sample_rate};
  av_channel_layout_default(&encoder->ch_layout, std::min(source.channels, 2));
  encoder->bit_rate = std::llround(rate.bits_per_second());
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  check(avcodec_open2(encoder.get(), codec, nullptr), ExitCode::kCodec,
        "cannot open the encoder for the sound");
  return encoder;
}

std::string describe_source(const SoundFormat& source) {
  return fmt::format("abuffer@in=sample_rate={}:sample_fmt={}:channel_layout={}:time_base={}/{}", source.sample_rate,
                     av_get_sample_fmt_name(source.samples), source.layout, source.time_base.num, source.time_base.den);
}

/// async=1 fills and cuts holes, and does not stretch; apad is what plays on when the source has ended.
std::string describe(const SoundFormat& source, const AVCodecContext& encoder) {
  return fmt::format(
      "{},aresample={}:async=1:min_hard_comp=0.03:first_pts=0,"
      "aformat=sample_fmts=fltp:channel_layouts={},apad,abuffersink@0",
      describe_source(source), encoder.sample_rate, encoder.ch_layout.nb_channels == 1 ? "mono" : "stereo");
}

}  // namespace

AudioEncoder::AudioEncoder(const SoundFormat& source, DataRate rate)
    : source_{source},
      encoder_{open_encoder(source, rate)},
      adapter_{fmt::format("aformat=sample_fmts={}:sample_rates={}:channel_layouts={},asettb={}/{}",
                           av_get_sample_fmt_name(source.samples), source.sample_rate, source.layout,
                           source.time_base.num, source.time_base.den),
               "abuffer", "abuffersink"},
      chain_{describe(source, *encoder_), "abuffer", "abuffersink", 1} {
  av_buffersink_set_frame_size(&chain_.sink(0), static_cast<unsigned>(encoder_->frame_size));
}

void AudioEncoder::push(AVFrame& sound) {
  SoundFormat form = source_;
  form.samples = static_cast<AVSampleFormat>(sound.format);
  form.sample_rate = sound.sample_rate;
  form.layout = layout_name(sound.ch_layout);
  if (form.samples == source_.samples && form.sample_rate == source_.sample_rate && form.layout == source_.layout) {
    chain_.push(sound);
  } else {
    adapter_.adapt(sound, describe_source(form), [this](AVFrame& adapted) { chain_.push(adapted); });
  }
}

}  // namespace tributary::segmenter
