#include "segmenter/video_encoder.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tributary::segmenter {
namespace {

RateTarget rate_target(DataRate rate) {
  constexpr double kBufferSeconds = 2;
  const double bit_s = rate.bits_per_second();
  return {std::llround(bit_s), std::llround(kMaximumOverAverage * bit_s),
          static_cast<int>(std::min(kBufferSeconds * bit_s, 2e9))};
}

/// What an encoder that was opened did not take, and does not tell although we need it.
void check_opened(const AVCodecContext& encoder, Options& options) {
  const char* const name = encoder.codec->name;
  if (av_dict_get(*options.get(), "preset", nullptr, 0) != nullptr)
    throw Failure{ExitCode::kCodec, fmt::format("the encoder {} has no presets", name)};
  if (encoder.extradata_size == 0) {
    throw Failure{
        ExitCode::kCodec,
        fmt::format("the encoder {} does not tell before the first picture what decoders need, and an "
                    "init segment comes first",
                    name)};
  }
}

}  // namespace

VideoEncoder::VideoEncoder(const VideoSettings& settings, const PictureFormat& source,
                           const SegmentPlan& plan)
    : name_{settings.quality.name}, plan_{plan}, dialect_{settings.encoding} {
  encoder_.reset(avcodec_alloc_context3(&dialect_.codec()));
  if (!encoder_) throw std::bad_alloc{};
  AVCodecContext& encoder = *encoder_;
  const FrameRate rate = plan.frame_rate();
  encoder.width = settings.quality.size->width;
  encoder.height = settings.quality.size->height;
  encoder.sample_aspect_ratio = settings.pixel_aspect;
  encoder.pix_fmt = AV_PIX_FMT_YUV420P;
  encoder.color_range = AVCOL_RANGE_MPEG;
  encoder.color_primaries = source.primaries;
  encoder.color_trc = source.transfer;
  encoder.colorspace = source.matrix;
  encoder.time_base = {rate.den, rate.num};
  encoder.framerate = {rate.num, rate.den};
  encoder.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
  encoder.thread_count = settings.threads;
  encoder.gop_size = encoder.keyint_min = plan.pictures_per_segment();

  Options options;
  dialect_.instruct(encoder, options,
                    {rate_target(settings.quality.rate), settings.look_ahead, settings.pass});
  check(avcodec_open2(encoder_.get(), &dialect_.codec(), options.get()), ExitCode::kCodec,
        fmt::format("cannot open the encoder {} for quality {} ({}x{})", dialect_.codec().name, name_,
                    encoder.width, encoder.height));
  check_opened(encoder, options);
}

void VideoEncoder::mark(AVFrame& picture) const {
  const bool first = dialect_.obeys() && plan_.starts_segment(static_cast<std::uint64_t>(picture.pts));
  picture.pict_type = first ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
}

void VideoEncoder::to_ticks(AVPacket& packet) {
  const std::int64_t shown = packet.pts * plan_.picture_ticks();
  packet.pts = shown + offset();
  // Where pictures were left out, x264 decodes a first picture of a segment all the earlier, and those after it, too.
  // A segment begins to be decoded where it begins in the plan, whatever was left out.
  const std::int64_t decoded = packet.dts * plan_.picture_ticks() + offset();
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  packet.dts = key ? shown : std::max(decoded, last_decoded_ + 1);
  packet.duration = plan_.picture_ticks();
  last_decoded_ = packet.dts;
}

}  // namespace tributary::segmenter
