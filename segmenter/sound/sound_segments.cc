#include "segmenter/sound/sound_segments.hh"

#include <algorithm>

namespace tributary::segmenter {
namespace {

Track describe(const std::string& id, const SoundStream& stream, std::int64_t offset_ticks) {
  Track track;
  track.id = id;
  track.kind = TrackKind::kAudio;
  track.group = id;
  track.mime = "audio/mp4";
  track.timescale = static_cast<std::uint32_t>(stream.sample_rate);
  track.offset = offset_ticks;
  track.sample_rate = stream.sample_rate;
  track.channels = stream.channels;
  track.label = stream.label;
  track.bitrate.target = stream.target;
  return track;
}

}  // namespace

SoundSegments::SoundSegments(const std::string& id, const SoundStream& stream, AVRational offset,
                             const SegmentPlan& plan, const TrackDestination& destination)
    : plan_{plan},
      sample_rate_{stream.sample_rate},
      frame_samples_{stream.frame_samples},
      offset_ticks_{av_rescale_q(1, offset, {1, stream.sample_rate})},
      cmaf_{*stream.codec,
            {0, 1},
            static_cast<std::uint32_t>(stream.sample_rate),
            destination.publication.layout().chunk},
      writer_{destination, tributary::segmenter::describe(id, stream, offset_ticks_), ".m4s"} {
  writer_.write_init(cmaf_.init());
}

void SoundSegments::advance(std::uint64_t pictures) {
  while (plan_.begin(writer_.segments()) < pictures && plan_.begin(writer_.segments() + 1) <= pictures) {
    const std::uint64_t boundary = next_boundary(pictures);
    if (frames() < boundary) return;
    write_segment(boundary);
  }
}

std::optional<Track> SoundSegments::finish(std::uint64_t pictures) {
  while (writer_.segments() < plan_.segments(pictures)) {
    const bool is_last = writer_.segments() + 1 == plan_.segments(pictures);
    const std::uint64_t boundary = next_boundary(pictures);
    if (frames() < boundary && (!is_last || waiting_.empty())) return std::nullopt;
    write_segment(std::min(boundary, frames()));
  }
  return writer_.finish();
}

std::uint64_t SoundSegments::next_boundary(std::uint64_t pictures) const {
  const std::uint64_t end = std::min(plan_.begin(writer_.segments() + 1), pictures);
  return std::max(plan_.sound_frames(end, sample_rate_, frame_samples_), written_ + 1);
}

void SoundSegments::write_segment(std::uint64_t until) {
  const std::uint64_t count = until - written_;
  const auto decoding_time = [this] {
    return static_cast<std::int64_t>(writer_.start()) + static_cast<std::int64_t>(written_) * frame_samples_;
  };
  for (; written_ < until; ++written_) {
    AVPacket& packet = *waiting_.front();
    // Presented later than decoded, as the picture is, so that a player that goes by decoding times keeps both in step.
    packet.dts = decoding_time();
    packet.pts = packet.dts + offset_ticks_;
    cmaf_.add(packet);
    waiting_.pop_front();
  }
  writer_.write_segment(cmaf_.take_segment(decoding_time()), count * static_cast<std::uint64_t>(frame_samples_));
}

}  // namespace tributary::segmenter
