#include "segmenter/encoders/video_encoder.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tributary::segmenter {
namespace {

/// Room for bursts: the largest segments of a football match in the thesis (Table 4.1) are 1.4 to 1.6 times the
/// average.
constexpr double kMaximumOverAverage = 1.5;

RateTarget rate_target(DataRate rate) {
  constexpr double kBufferSeconds = 2;
  const double bit_s = rate.bits_per_second();
  return {std::llround(bit_s), std::llround(kMaximumOverAverage * bit_s),
          static_cast<int>(std::min(kBufferSeconds * bit_s, 2e9))};
}

}  // namespace

VideoEncoder::VideoEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan)
    : plan_{plan},
      quality_{settings.quality.name},
      obeys_{EncoderDialect{settings.encoding}.obeys()},
      encoder_{open_encoder({settings.encoding,
                             settings.quality.name,
                             *settings.quality.size,
                             settings.pixel_aspect,
                             source.colors,
                             plan.frame_rate(),
                             plan.pictures_per_segment(),
                             settings.threads,
                             {rate_target(settings.quality.rate), settings.look_ahead, settings.pass}})} {}

void VideoEncoder::take(AVFrame& picture) {
  const bool first = obeys_ && plan_.starts_segment(static_cast<std::uint64_t>(picture.pts));
  picture.pict_type = first ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  const int depth = encoder_->reordering();
  if (!begun_) {
    for (int i = 0; i < depth; ++i) decoding_times_.push_back(picture.pts + i);
  }
  begun_ = true;
  decoding_times_.push_back(picture.pts + depth);
}

void VideoEncoder::to_ticks(AVPacket& packet) {
  if (decoding_times_.empty()) refuse("gives more pictures than it takes");
  // Decoding times are counted here: if a segment or the film has two pictures, x264 states a deeper reordering than it
  // uses. The n-th packet is decoded when the n-th picture is shown, even if some were left
  // out. So all pictures of a segment are decoded within the segment.
  const std::int64_t decoded = decoding_times_.front() * plan_.picture_ticks();
  decoding_times_.pop_front();
  const std::int64_t shown = packet.pts * plan_.picture_ticks();
  packet.pts = shown + offset();
  // Decoding of a segment begins where the segment begins in the plan. If pictures were left out, that is later than
  // counted.
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (key && shown <= last_decoded_) refuse("does not decode all pictures of a segment before the next");
  packet.dts = key ? shown : std::max(decoded, last_decoded_ + 1);
  if (packet.dts > packet.pts) refuse("reorders more pictures than it says");
  packet.duration = plan_.picture_ticks();
  last_decoded_ = packet.dts;
}

void VideoEncoder::refuse(const std::string& what) const {
  throw Failure{ExitCode::kCodec, fmt::format("the encoder of quality {} {}", quality_, what)};
}

}  // namespace tributary::segmenter
