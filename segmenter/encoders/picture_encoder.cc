#include "segmenter/encoders/picture_encoder.hh"

#include <fmt/format.h>

#include "segmenter/encoders/encoder_process.hh"

namespace tributary::segmenter {
namespace {

/// Throws if the opened encoder did not take an option, or lacks a fact that we need.
void check_opened(const AVCodecContext& encoder, Options& options) {
  const char* const name = encoder.codec->name;
  if (av_dict_get(*options.get(), "preset", nullptr, 0) != nullptr)
    throw Failure{ExitCode::kCodec, fmt::format("the encoder {} has no presets", name)};
  if (encoder.extradata_size == 0) {
    throw Failure{ExitCode::kCodec,
                  fmt::format("the encoder {} does not tell before the first picture what decoders need, and an "
                              "init segment comes first",
                              name)};
  }
}

CodecHandle open_context(const EncoderSettings& settings, const EncoderDialect& dialect) {
  const LibavComplaints complaints;
  CodecHandle opened{avcodec_alloc_context3(&dialect.codec())};
  if (!opened) throw std::bad_alloc{};
  AVCodecContext& encoder = *opened;
  encoder.width = settings.size.width;
  encoder.height = settings.size.height;
  encoder.sample_aspect_ratio = settings.pixel_aspect;
  encoder.pix_fmt = AV_PIX_FMT_YUV420P;
  encoder.color_range = AVCOL_RANGE_MPEG;
  encoder.color_primaries = settings.colors.primaries;
  encoder.color_trc = settings.colors.transfer;
  encoder.colorspace = settings.colors.matrix;
  encoder.time_base = {settings.rate.den, settings.rate.num};
  encoder.framerate = {settings.rate.num, settings.rate.den};
  encoder.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
  encoder.thread_count = settings.threads;
  encoder.gop_size = encoder.keyint_min = settings.group;
  Options options;
  dialect.instruct(encoder, options, settings.task);
  check(avcodec_open2(opened.get(), &dialect.codec(), options.get()), ExitCode::kCodec,
        fmt::format("cannot open the encoder {} for quality {} ({}x{})", dialect.codec().name, settings.quality,
                    encoder.width, encoder.height));
  check_opened(encoder, options);
  return opened;
}

class EncoderHere : public PictureEncoder {
 public:
  EncoderHere(const EncoderSettings& settings, const EncoderDialect& dialect)
      : what_{"cannot encode quality " + settings.quality},
        encoder_{open_context(settings, dialect)},
        parameters_{parameters_of(*encoder_)},
        reordering_{dialect.reordering(*encoder_)} {}

  void encode(const AVFrame* picture, const Use& use) override { encode_frame(*encoder_, picture, what_, use); }
  const AVCodecParameters& parameters() const override { return *parameters_; }
  int reordering() const override { return reordering_; }

 private:
  std::string what_;
  CodecHandle encoder_;
  ParametersHandle parameters_;
  int reordering_;
};

}  // namespace

std::unique_ptr<PictureEncoder> open_encoder(const EncoderSettings& settings) {
  if (EncoderDialect{settings.encoding}.disturbs_others()) return open_encoder_process(settings);
  return open_encoder_here(settings);
}

std::unique_ptr<PictureEncoder> open_encoder_here(const EncoderSettings& settings) {
  return std::make_unique<EncoderHere>(settings, EncoderDialect{settings.encoding});
}

}  // namespace tributary::segmenter
