#include "segmenter/sound/sound_segments.hh"

#include <algorithm>
#include <utility>

namespace tributary::segmenter {
namespace {

Track describe(const std::string& id, const SoundStream& stream, std::int64_t offset_ticks, const PartPlan& parts) {
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
  if (parts.divides()) {
    const std::uint64_t frames = parts.longest_sound(stream.sample_rate, stream.frame_samples);
    track.parts = TrackParts{.target = frames * static_cast<unsigned>(stream.frame_samples)};
  }
  return track;
}

}  // namespace

SoundSegments::SoundSegments(const std::string& id, const SoundStream& stream, AVRational offset,
                             const SegmentPlan& plan, const TrackDestination& destination)
    : plan_{plan},
      parts_{plan, destination.publication.layout().part},
      sample_rate_{stream.sample_rate},
      frame_samples_{stream.frame_samples},
      offset_ticks_{av_rescale_q(1, offset, {1, stream.sample_rate})},
      cmaf_{*stream.codec,
            {0, 1},
            static_cast<std::uint32_t>(stream.sample_rate),
            destination.publication.layout().chunk},
      writer_{destination, tributary::segmenter::describe(id, stream, offset_ticks_, parts_), ".m4s"} {
  writer_.write_init(cmaf_.init());
  if (destination.zero) cmaf_.state_times({*destination.zero, offset_ticks_});
}

void SoundSegments::advance(std::uint64_t pictures) {
  while (part_begin_ < pictures) {
    const std::uint64_t end = parts_.end_of(part_begin_);
    const std::uint64_t until = boundary(end);
    if (end > pictures || frames() < until) return;
    write_part(until);
    part_begin_ = end;
    if (parts_.ends_segment(end)) end_segment();
  }
}

std::optional<Track> SoundSegments::finish(std::uint64_t pictures) {
  while (part_begin_ < pictures) {
    const std::uint64_t end = std::min(parts_.end_of(part_begin_), pictures);
    const bool is_last = end == pictures;
    const std::uint64_t until = boundary(end);
    if (frames() < until && (!is_last || waiting_.empty())) return std::nullopt;
    write_part(std::min(until, frames()));
    part_begin_ = end;
    if (is_last || parts_.ends_segment(end)) end_segment();
  }
  if (written_ > segment_begin_) end_segment();
  return writer_.finish();
}

std::uint64_t SoundSegments::boundary(std::uint64_t picture) const {
  return std::max(plan_.sound_frames(picture, sample_rate_, frame_samples_), written_ + 1);
}

void SoundSegments::write_part(std::uint64_t until) {
  const std::uint64_t count = until - written_;
  for (; written_ < until; ++written_) {
    AVPacket& packet = *waiting_.front();
    // Presented later than decoded, as the picture is, so that a player that goes by decoding times keeps both in step.
    packet.dts = decoding_time();
    packet.pts = packet.dts + offset_ticks_;
    cmaf_.add(packet);
    waiting_.pop_front();
  }
  if (parts_.divides())
    writer_.write_part(cmaf_.take_chunk(decoding_time()), count * static_cast<std::uint64_t>(frame_samples_), true);
}

void SoundSegments::end_segment() {
  const std::uint64_t count = written_ - std::exchange(segment_begin_, written_);
  writer_.write_segment(cmaf_.take_segment(decoding_time()), count * static_cast<std::uint64_t>(frame_samples_));
}

}  // namespace tributary::segmenter
