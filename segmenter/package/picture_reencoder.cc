#include "segmenter/package/picture_reencoder.hh"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include "segmenter/encoders/video_ladder_encoder.hh"

namespace tributary::segmenter {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Failure{ExitCode::kCodec, fmt::format("{} cannot be encoded anew: {}", file, why)};
}

/// Encoders make progressive pictures of 4:2:0 with 8 bits.
void check_form(const AVCodecParameters& codec, const std::string& file) {
  if (codec.format != AV_PIX_FMT_YUV420P) {
    const char* const name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(codec.format));
    refuse(file, fmt::format("its pictures are {}, and would become yuv420p", name == nullptr ? "unknown" : name));
  }
  if (codec.field_order > AV_FIELD_PROGRESSIVE) refuse(file, "its pictures are interlaced");
}

VideoCodec codec_of(const AVCodecParameters& codec) {
  switch (codec.codec_id) {
    case AV_CODEC_ID_HEVC:
      return VideoCodec::kHevc;
    case AV_CODEC_ID_AV1:
      return VideoCodec::kAv1;
    default:
      return VideoCodec::kH264;
  }
}

VideoSettings settings_of(const EncodedPicture& source, const std::string& file, const Quality& quality) {
  const AVCodecParameters& codec = *source.codec;
  check_form(codec, file);
  VideoSettings settings;
  settings.quality = quality;
  settings.quality.size = PictureSize{codec.width, codec.height};
  if (codec.sample_aspect_ratio.num > 0) settings.pixel_aspect = codec.sample_aspect_ratio;
  settings.encoding.codec = codec_of(codec);
  if (!EncoderDialect{settings.encoding}.obeys()) refuse(file, "encoders of AV1 choose key frames themselves");
  settings.threads = threads_of_each(1);
  return settings;
}

PictureFormat format_of(const AVCodecParameters& codec) {
  PictureFormat format;
  format.colors = {codec.color_primaries, codec.color_trc, codec.color_space};
  return format;
}

CodecHandle open_decoder(const AVCodecParameters& codec, const std::string& what) {
  CodecHandle decoder = make_decoder(codec, what);
  decoder->thread_count = 0;  // one for each core
  check(avcodec_open2(decoder.get(), nullptr, nullptr), ExitCode::kCodec, what);
  return decoder;
}

}  // namespace

PictureReencoder::PictureReencoder(const EncodedPicture& source, const std::string& file, const Quality& quality,
                                   const SegmentPlan& plan)
    : what_{"cannot decode " + file},
      plan_{plan},
      decoder_{open_decoder(*source.codec, what_)},
      encoder_{settings_of(source, file, quality), format_of(*source.codec), plan},
      picture_{source.stream, &encoder_.parameters(), source.rate,
               static_cast<int>(encoder_.offset() / plan.picture_ticks())} {}

void PictureReencoder::add(const EncodedPacket& picture, const Use& use) {
  picture.packet->pts = picture.number;
  picture.packet->dts = AV_NOPTS_VALUE;
  decode(picture.packet, use);
}

void PictureReencoder::finish(const Use& use) {
  decode(nullptr, use);
  encode(nullptr, use);
}

void PictureReencoder::decode(const AVPacket* packet, const Use& use) {
  check(avcodec_send_packet(decoder_.get(), packet), ExitCode::kInput, what_);
  for (;;) {
    const int result = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
    check(result, ExitCode::kInput, what_);
    encode(frame_.get(), use);
  }
}

void PictureReencoder::encode(AVFrame* picture, const Use& use) {
  encoder_.encode(picture, [&](AVPacket& packet) {
    const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    use(packet, (packet.pts - encoder_.offset()) / plan_.picture_ticks(),
        key ? RandomAccess::kSync : RandomAccess::kNone);
  });
}

}  // namespace tributary::segmenter
