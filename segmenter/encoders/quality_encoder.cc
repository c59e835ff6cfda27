#include "segmenter/encoders/quality_encoder.hh"

#include <algorithm>
#include <cassert>

namespace tributary::segmenter {
namespace {

Track describe(const VideoSettings& settings, const VideoEncoder& encoder, const SegmentPlan& plan,
               const PartPlan& parts) {
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
  if (parts.divides()) track.parts = TrackParts{.target = parts.longest_picture()};
  return track;
}

}  // namespace

QualityEncoder::QualityEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan,
                               const TrackDestination& destination, std::size_t waiting, std::uint64_t first_picture)
    : settings_{settings},
      source_{source},
      plan_{plan},
      parts_{plan, destination.publication.layout().part},
      encoder_{std::in_place, settings, source, plan},
      offset_{encoder_->offset()},
      chunk_{destination.publication.layout().chunk},
      zero_{destination.zero},
      writer_{destination, tributary::segmenter::describe(settings, *encoder_, plan, parts_), ".m4s"},
      segment_begin_{first_picture},
      pictures_end_{first_picture},
      part_begin_{first_picture},
      pictures_{waiting} {
  begin_packing(first_picture);
  begin_measuring(first_picture);
  writer_.write_init(cmaf_->init());
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
    while (const auto picture = pictures_.pop(stop_.get_token())) {
      const auto number = static_cast<std::uint64_t>((*picture)->pts);
      if (plan_.starts_section(number) && number > segment_begin_) {
        end_encoder();
        encoder_.emplace(settings_, source_, plan_);
        begin_measuring(number);
      }
      if (meter_) meter_->add_original(**picture);
      encode(picture->get());
      encoded_ = number + 1;
    }
    if (stop_.stop_requested()) return;
    end_encoder();
    if (pictures_end_ > segment_begin_) end_segment(pictures_end_);
  } catch (...) {
    error_ = std::current_exception();
    stop_.request_stop();
  }
}

void QualityEncoder::encode(AVFrame* picture) {
  encoder_->encode(picture, [this](AVPacket& packet) { take(packet); });
}

void QualityEncoder::begin_packing(std::uint64_t first_picture) {
  // Numbers of fragments only have to grow. The number of earlier chunks is unknown: it depends on pictures left out.
  const std::uint64_t fragment = chunk_ == Duration{} ? plan_.segments(first_picture) + 1 : first_picture + 1;
  const FrameRate rate = plan_.frame_rate();
  cmaf_.emplace(encoder_->parameters(), AVRational{rate.num, rate.den}, plan_.timescale(), chunk_, fragment);
  if (zero_) cmaf_->state_times({*zero_, offset_});
}

void QualityEncoder::begin_measuring(std::uint64_t first_picture) {
  if (settings_.metrics.any()) meter_.emplace(settings_.metrics, encoder_->parameters(), plan_, first_picture);
}

void QualityEncoder::end_encoder() {
  encode(nullptr);
  if (meter_) writer_.add_metrics(meter_->finish());
}

void QualityEncoder::take(AVPacket& packet) {
  const auto picture = static_cast<std::uint64_t>((packet.pts - offset_) / plan_.picture_ticks());
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (packet.dts < 0 || key != plan_.starts_segment(picture)) {
    throw Failure{ExitCode::kCodec, "the encoder did not begin a closed group of pictures where a segment begins"};
  }
  if (key && picture > segment_begin_) {
    end_segment(picture);
    if (plan_.starts_section(picture)) begin_packing(picture);
  }
  if (meter_) meter_->add_encoded(packet, static_cast<std::int64_t>(picture));
  pictures_end_ = std::max(pictures_end_, picture + 1);
  pack(packet, static_cast<std::uint64_t>(packet.dts / plan_.picture_ticks()));
}

void QualityEncoder::pack(AVPacket& packet, std::uint64_t decoded) {
  // Only if the last pictures of a part were left out; see below.
  while (parts_.divides() && decoded >= parts_.end_of(part_begin_)) end_part(parts_.end_of(part_begin_));
  packet.pts += static_cast<std::int64_t>(writer_.start());
  packet.dts += static_cast<std::int64_t>(writer_.start());
  cmaf_->add(packet);
  part_has_packets_ = true;
  ++packed_;
  if (!parts_.divides()) return;
  // Without waiting for the next packet: the rate is constant. If pictures of the segment were left out, it is unknown
  // whether one more belongs to the part.
  const std::uint64_t end = parts_.end_of(part_begin_);
  if (decoded + 1 != end || segment_begin_ + packed_ != end) return;
  if (parts_.ends_segment(end)) {
    end_segment(end);
  } else {
    end_part(end);
  }
}

void QualityEncoder::end_part(std::uint64_t next_picture) {
  const std::uint64_t begin = std::exchange(part_begin_, next_picture);
  part_has_packets_ = false;
  writer_.write_part(cmaf_->take_chunk(ticks_at(next_picture)), ticks(next_picture - begin), begin == segment_begin_);
}

void QualityEncoder::end_segment(std::uint64_t next_picture) {
  if (parts_.divides() && part_has_packets_) end_part(next_picture);
  writer_.write_segment(cmaf_->take_segment(ticks_at(next_picture)), ticks(next_picture - segment_begin_));
  segment_begin_ = part_begin_ = next_picture;
  packed_ = 0;
}

}  // namespace tributary::segmenter
