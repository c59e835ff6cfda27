#include "segmenter/audio_track.hh"

#include <algorithm>
#include <cassert>

namespace tributary::segmenter {
namespace {

Track describe(const SoundFormat& source, const AudioEncoder& encoder, DataRate rate,
               std::int64_t offset_ticks) {
  Track track;
  track.id = "audio";
  track.kind = TrackKind::kAudio;
  track.group = "audio";
  track.mime = "audio/mp4";
  track.timescale = static_cast<std::uint32_t>(encoder.sample_rate());
  track.offset = offset_ticks;
  track.sample_rate = encoder.sample_rate();
  track.channels = encoder.channels();
  track.language = source.language;
  track.bitrate.target = rate;
  return track;
}

}  // namespace

AudioTrack::AudioTrack(const SoundFormat& source, DataRate rate, AVRational offset, const SegmentPlan& plan,
                       const Publication& publication)
    : plan_{plan},
      encoder_{source, rate},
      offset_ticks_{av_rescale_q(1, offset, {1, encoder_.sample_rate()})},
      cmaf_{encoder_.context(), static_cast<std::uint32_t>(encoder_.sample_rate())},
      writer_{publication, describe(source, encoder_, rate, offset_ticks_), ".m4s"} {
  writer_.write_init(cmaf_.init());
}

void AudioTrack::add(AVFrame& sound) {
  encoder_.push(sound);
  encoder_.encode([this](const AVPacket& packet) { keep(packet); });
}

void AudioTrack::advance(std::uint64_t pictures) {
  const auto segment_pictures = static_cast<std::uint64_t>(plan_.pictures_per_segment());
  while ((writer_.segments() + 1) * segment_pictures <= pictures) {
    const std::uint64_t boundary = next_boundary(pictures);
    if (waiting_.size() < boundary - written_) return;
    write_segment(boundary);
  }
}

Track AudioTrack::finish(std::uint64_t pictures) {
  // A last segment shorter than half a frame of sound gets one all the same.
  const std::uint64_t frames =
      plan_.sound_frames(pictures, encoder_.sample_rate(), encoder_.frame_samples()) + 1;
  encoder_.finish(frames, [this](const AVPacket& packet) { keep(packet); });
  while (writer_.segments() < plan_.segments(pictures)) write_segment(next_boundary(pictures));
  return writer_.finish();
}

void AudioTrack::keep(const AVPacket& packet) { waiting_.push_back(clone(packet)); }

std::uint64_t AudioTrack::next_boundary(std::uint64_t pictures) const {
  const auto segment_pictures = static_cast<std::uint64_t>(plan_.pictures_per_segment());
  const std::uint64_t end = std::min((writer_.segments() + 1) * segment_pictures, pictures);
  return std::max(plan_.sound_frames(end, encoder_.sample_rate(), encoder_.frame_samples()), written_ + 1);
}

void AudioTrack::write_segment(std::uint64_t until) {
  assert(waiting_.size() >= until - written_);
  for (; written_ < until; ++written_) {
    AVPacket& packet = *waiting_.front();
    // Composed later than decoded, as the picture is: a player that goes by decoding times keeps both together.
    packet.dts = packet.pts;
    packet.pts += offset_ticks_;
    packet.duration = encoder_.frame_samples();
    cmaf_.add(packet);
    waiting_.pop_front();
  }
  const std::uint64_t ticks = cmaf_.pending_ticks();
  writer_.write_segment(cmaf_.take_segment(), ticks);
}

}  // namespace tributary::segmenter
