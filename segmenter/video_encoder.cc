#include "segmenter/video_encoder.hh"

#include <algorithm>
#include <cmath>

namespace tributary::segmenter {
namespace {

RateTarget rate_target(DataRate rate) {
  constexpr double kBufferSeconds = 2;
  const double bit_s = rate.bits_per_second();
  return {std::llround(bit_s), std::llround(kMaximumOverAverage * bit_s),
          static_cast<int>(std::min(kBufferSeconds * bit_s, 2e9))};
}

}  // namespace

VideoEncoder::VideoEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan)
    : plan_{plan},
      obeys_{EncoderDialect{settings.encoding}.obeys()},
      encoder_{open_encoder({settings.encoding,
                             settings.quality.name,
                             *settings.quality.size,
                             settings.pixel_aspect,
                             source.primaries,
                             source.transfer,
                             source.matrix,
                             plan.frame_rate(),
                             plan.pictures_per_segment(),
                             settings.threads,
                             {rate_target(settings.quality.rate), settings.look_ahead, settings.pass}})} {}

void VideoEncoder::mark(AVFrame& picture) const {
  const bool first = obeys_ && plan_.starts_segment(static_cast<std::uint64_t>(picture.pts));
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
