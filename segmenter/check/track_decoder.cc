#include "segmenter/check/track_decoder.hh"

#include <algorithm>
#include <cassert>

#include "segmenter/libav/init_segment.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
TrackDecoder::TrackDecoder(const std::filesystem::path& directory, const Track& track, Findings& findings)
    : directory_{directory}, track_{track}, findings_{findings} {
  if (track_.init) open();
}

void TrackDecoder::open() {
  const auto content = read_resource(directory_, *track_.init);
  if (!content) return;  // media_check has a finding
  try {
    facts_ = read_init(bytes_of(*content));
  } catch (const BoxError&) {
    return;  // media_check has a finding
  }
  init_ = open_init(bytes_of(*content));
  if (!init_) return findings_.add(track_.init->uri, "cannot be read by libavformat");
  CodecHandle decoder = make_decoder(*init_->streams[0]->codecpar, "cannot decode " + track_.id);
  decoder->pkt_timebase = time_base();
  decoder->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
  decoder->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;  // drop no samples
  if (avcodec_open2(decoder.get(), nullptr, nullptr) < 0)
    return findings_.add(track_.init->uri, "no decoder can be opened with it");
  decoder_ = std::move(decoder);
}

AVFrame* TrackDecoder::next() {
  while (is_open()) {
    const int result = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (result == AVERROR_EOF) return nullptr;
    if (result == AVERROR(EAGAIN)) {
      if (!feed()) return nullptr;
      continue;
    }
    if (result == AVERROR(ENOMEM)) throw std::bad_alloc{};
    if (result < 0) {
      refuse(segments_.back(), "a frame cannot be decoded");
      continue;
    }
    if (frame_->pts == AV_NOPTS_VALUE) frame_->pts = frame_->best_effort_timestamp;
    Segment& segment = segment_at(frame_->pts);
    ++segment.decoded;
    if (frame_->decode_error_flags != 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0)
      refuse(segment, "a frame is damaged");
    return frame_.get();
  }
  return nullptr;
}

bool TrackDecoder::feed() {
  while (next_sample_ == samples_.size()) {
    if (ended_) return false;
    if (!read_segment()) {
      ended_ = true;
      avcodec_send_packet(decoder_.get(), nullptr);
      return true;
    }
  }
  const MediaSample& sample = samples_[next_sample_++];
  const PacketHandle packet = make_packet();
  check(av_new_packet(packet.get(), static_cast<int>(sample.size)), ExitCode::kCodec, "cannot decode " + track_.id);
  std::copy_n(reinterpret_cast<const std::uint8_t*>(content_.data()) + sample.begin, sample.size, packet->data);
  const auto start = static_cast<std::int64_t>(track_.start);
  packet->pts = sample.shown - track_.offset - start;
  packet->dts = sample.decoded - track_.offset - start;
  packet->duration = sample.duration;
  if (sample.sync) packet->flags |= AV_PKT_FLAG_KEY;
  if (avcodec_send_packet(decoder_.get(), packet.get()) < 0) refuse(segments_.back(), "a frame cannot be decoded");
  return true;
}

bool TrackDecoder::read_segment() {
  const std::size_t i = segments_.size();
  if (i == track_.sizes.size()) return false;
  segments_.push_back({i == 0 ? 0 : segments_[i - 1].begin + track_.durations[i - 1]});
  samples_.clear();
  next_sample_ = 0;
  auto content = read_resource(directory_, track_.segment(static_cast<SegmentIndex>(i)));
  if (!content) return true;  // media_check has a finding
  content_ = *std::move(content);
  samples_ = salvage_segment(bytes_of(content_), facts_).facts.samples;
  segments_.back().frames = samples_.size();
  return true;
}

void TrackDecoder::check_complete() {
  for (Segment& segment : segments_) {
    if (segment.decoded < segment.frames && !segment.damaged)
      refuse(segment, fmt::format("of {} frames, {} came out of the decoder", segment.frames, segment.decoded));
  }
}

void TrackDecoder::refuse(Segment& segment, const std::string& why) {
  if (!segment.damaged) findings_.add(place(segment), "{}", why);
  segment.damaged = true;
}

TrackDecoder::Segment& TrackDecoder::segment_at(std::int64_t time) {
  assert(!segments_.empty());
  auto after = std::upper_bound(segments_.begin(), segments_.end(), time, [](std::int64_t t, const Segment& segment) {
    return t < static_cast<std::int64_t>(segment.begin);
  });
  return after == segments_.begin() ? *after : *std::prev(after);
}

std::string TrackDecoder::place(const Segment& segment) const {
  return track_.segment(static_cast<SegmentIndex>(&segment - segments_.data())).uri;
}

}  // namespace tributary::segmenter
