#include "segmenter/sound/audio_encoder.hh"

extern "C" {
#include <libavfilter/buffersink.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tributary::segmenter {
namespace {

/// Opus has one rate. AAC plays everywhere at 44.1 and 48 kHz; other rates become the one of their family.
int encoded_rate(SoundCodec codec, int source_rate) {
  return codec == SoundCodec::kAac && source_rate % 11025 == 0 ? 44100 : 48000;
}

const AVCodec& find_encoder(SoundCodec codec) {
  const char* const name = codec == SoundCodec::kAac ? "aac" : "libopus";
  const AVCodec* const found = avcodec_find_encoder_by_name(name);
  if (found == nullptr)
    throw Failure{ExitCode::kCodec, fmt::format("this libavcodec was built without the encoder {}", name)};
  return *found;
}

CodecHandle open_encoder(const SoundFormat& source, const SoundEncoding& encoding) {
  const AVCodec& codec = find_encoder(encoding.codec);
  CodecHandle encoder{avcodec_alloc_context3(&codec)};
  if (!encoder) throw std::bad_alloc{};
  encoder->sample_fmt = encoding.codec == SoundCodec::kAac ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_FLT;
  encoder->sample_rate = encoded_rate(encoding.codec, source.sample_rate);
  encoder->time_base = {1, encoder->sample_rate};
  av_channel_layout_default(&encoder->ch_layout, std::min(source.channels, 2));
  encoder->bit_rate = std::llround(encoding.rate.bits_per_second());
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  Options options;
  if (encoding.codec == SoundCodec::kOpus) options.set("vbr", "constrained");
  check(avcodec_open2(encoder.get(), &codec, options.get()), ExitCode::kCodec, "cannot open the encoder for the sound");
  return encoder;
}

int lead_of(const AVCodecContext& encoder) {
  const int beyond = encoder.initial_padding % encoder.frame_size;
  return beyond == 0 ? 0 : encoder.frame_size - beyond;
}

/// async=1 fills holes and cuts overlaps, but does not stretch, which async=500 does, by a hundredth; apad plays on after the end of the source. Channels are
/// mixed in floating point, which neither clips nor softens. The encoder's form comes last, because filters such as
/// adelay choose forms of their own.
std::string describe(const SoundFormat& source, const AVCodecContext& encoder, int lead, bool stretches) {
  const std::string layout = layout_name(encoder.ch_layout);
  return fmt::format(
      "{},aresample={}:async={}:min_hard_comp=0.03:first_pts=0,aformat=sample_fmts=fltp:channel_layouts={},{}apad,"
      "aformat=sample_fmts={}:sample_rates={}:channel_layouts={},abuffersink@0",
      describe_source(source), encoder.sample_rate, stretches ? 500 : 1, layout,
      lead == 0 ? "" : fmt::format("adelay={}S:all=1,", lead), av_get_sample_fmt_name(encoder.sample_fmt),
      encoder.sample_rate, layout);
}

}  // namespace

AudioEncoder::AudioEncoder(const SoundFormat& source, const SoundEncoding& encoding)
    : encoder_{open_encoder(source, encoding)},
      lead_{lead_of(*encoder_)},
      adapter_{source},
      chain_{describe(source, *encoder_, lead_, encoding.stretches), "abuffer", "abuffersink", 1} {
  av_buffersink_set_frame_size(&chain_.sink(0), static_cast<unsigned>(encoder_->frame_size));
}

void AudioEncoder::push(AVFrame& sound) {
  adapter_.adapt(sound, [this](AVFrame& adapted) { chain_.push(adapted); });
}

ParametersHandle AudioEncoder::parameters() const {
  ParametersHandle parameters = parameters_of(*encoder_);
  parameters->initial_padding = 0;
  constexpr int kPreSkip = 10;  // place of two bytes in the header of Opus (RFC 7845 section 5.1)
  if (parameters->codec_id == AV_CODEC_ID_OPUS && parameters->extradata_size >= kPreSkip + 2)
    std::fill_n(parameters->extradata + kPreSkip, 2, std::uint8_t{0});
  return parameters;
}

}  // namespace tributary::segmenter
