#include "segmenter/quality_encoder.hh"

#include <cassert>

namespace tributary::segmenter {
namespace {

constexpr std::size_t kPicturesWaiting =
    8;  // evens out groups of pictures that cost more; 1.4 MB each at 720p

Track describe(const VideoSettings& settings, const VideoEncoder& encoder, const SegmentPlan& plan) {
  Track track;
  track.id = settings.quality.name;
  track.kind = TrackKind::kVideo;
  track.group = "video";
  track.mime = "video/mp4";
  track.timescale = plan.timescale();
  track.offset = encoder.offset();
  track.width = settings.quality.size->width;
  track.height = settings.quality.size->height;
  track.frame_rate_num = plan.frame_rate().num;
  track.frame_rate_den = plan.frame_rate().den;
  track.bitrate.target = settings.quality.rate;
  return track;
}

}  // namespace

QualityEncoder::QualityEncoder(const VideoSettings& settings, const PictureFormat& source,
                               const SegmentPlan& plan, const Publication& publication)
    : plan_{plan},
      encoder_{settings, source, plan},
      cmaf_{*parameters_of(encoder_.context()), encoder_.context().framerate, plan.timescale()},
      writer_{publication, describe(settings, encoder_, plan), ".m4s"},
      pictures_{kPicturesWaiting} {
  writer_.write_init(cmaf_.init());
  thread_ = std::jthread{[this] { run(); }};
}

QualityEncoder::~QualityEncoder() { stop_.request_stop(); }

void QualityEncoder::add(FrameHandle picture) {
  if (!pictures_.push(std::move(picture), stop_.get_token())) std::rethrow_exception(error_);
}

Track QualityEncoder::finish() {
  pictures_.close();
  thread_.join();
  if (error_) std::rethrow_exception(error_);
  return writer_.finish();
}

void QualityEncoder::run() {
  try {
    const auto use = [this](AVPacket& packet) { take(packet); };
    while (const auto picture = pictures_.pop(stop_.get_token())) encoder_.encode(picture->get(), use);
    if (stop_.stop_requested()) return;
    encoder_.encode(nullptr, use);
    end_segment();
  } catch (...) {
    error_ = std::current_exception();
    stop_.request_stop();
  }
}

void QualityEncoder::take(AVPacket& packet) {
  const auto picture = static_cast<std::uint64_t>((packet.pts - encoder_.offset()) / plan_.picture_ticks());
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (packet.dts < 0 || key != plan_.starts_segment(picture)) {
    throw Failure{ExitCode::kCodec,
                  "the encoder did not begin a closed group of pictures where a segment begins"};
  }
  if (key && picture > 0) end_segment();
  cmaf_.add(packet);
}

void QualityEncoder::end_segment() {
  const std::uint64_t ticks = cmaf_.pending_ticks();
  writer_.write_segment(cmaf_.take_segment(), ticks);
}

}  // namespace tributary::segmenter
