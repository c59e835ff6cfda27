#include "segmenter/quality_encoder.hh"

#include <algorithm>
#include <cassert>

namespace tributary::segmenter {
namespace {

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
                               const SegmentPlan& plan, const TrackDestination& destination,
                               std::size_t waiting)
    : plan_{plan},
      encoder_{settings, source, plan},
      cmaf_{*parameters_of(encoder_.context()), encoder_.context().framerate, plan.timescale(),
            destination.publication.layout().chunk},
      writer_{destination, tributary::segmenter::describe(settings, encoder_, plan), ".m4s"},
      pictures_{waiting} {
  writer_.write_init(cmaf_.init());
  if (settings.metrics.any()) meter_.emplace(settings.metrics, encoder_.context(), plan);
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
  Track track = writer_.finish();
  if (meter_) track.metrics = meter_->finish();
  return track;
}

void QualityEncoder::run() {
  try {
    const auto use = [this](AVPacket& packet) { take(packet); };
    while (const auto picture = pictures_.pop(stop_.get_token())) {
      if (meter_) meter_->add_original(**picture);
      encoder_.encode(picture->get(), use);
      encoded_ = static_cast<std::uint64_t>((*picture)->pts) + 1;
    }
    if (stop_.stop_requested()) return;
    encoder_.encode(nullptr, use);
    if (pictures_end_ > segment_begin_) end_segment(pictures_end_);
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
  if (meter_) meter_->add_encoded(packet, static_cast<std::int64_t>(picture));
  if (key && picture > 0) end_segment(picture);
  pictures_end_ = std::max(pictures_end_, picture + 1);
  packet.pts += static_cast<std::int64_t>(writer_.start());
  packet.dts += static_cast<std::int64_t>(writer_.start());
  cmaf_.add(packet);
}

void QualityEncoder::end_segment(std::uint64_t next_picture) {
  const auto ticks = [this](std::uint64_t pictures) {
    return pictures * static_cast<std::uint64_t>(plan_.picture_ticks());
  };
  const auto content = cmaf_.take_segment(static_cast<std::int64_t>(writer_.start() + ticks(next_picture)));
  writer_.write_segment(content, ticks(next_picture - segment_begin_));
  segment_begin_ = next_picture;
}

}  // namespace tributary::segmenter
