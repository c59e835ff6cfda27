#pragma once

#include <deque>

#include "segmenter/audio_encoder.hh"
#include "segmenter/cmaf_writer.hh"
#include "segmenter/track_writer.hh"

namespace tributary::segmenter {

/// The sound, cut where the picture is cut: at the boundary of a frame of sound nearest to it. It has as many
/// segments as the picture; sound that goes on after the last picture is dropped.
class AudioTrack {
 public:
  /// `offset`: seconds by which all timestamps are shifted.
  AudioTrack(const SoundFormat& source, DataRate rate, AVRational offset, const SegmentPlan& plan,
             const TrackDestination& destination);

  void add(AVFrame& sound);
  /// The track without segments.
  Track describe() const { return writer_.describe(); }
  /// Publishes the segments that so many pictures complete, as far as their sound is there.
  void advance(std::uint64_t pictures);
  /// Publishes the rest, knowing the number of all pictures. The track for the index.
  Track finish(std::uint64_t pictures);

 private:
  void keep(const AVPacket& packet);
  /// The number of frames of sound up to the end of the next segment.
  std::uint64_t next_boundary(std::uint64_t pictures) const;
  void write_segment(std::uint64_t until);

  SegmentPlan plan_;
  AudioEncoder encoder_;
  std::int64_t offset_ticks_;
  CmafWriter cmaf_;
  TrackWriter writer_;
  std::deque<PacketHandle> waiting_;
  std::uint64_t written_ = 0;  // frames of sound in published segments
};

}  // namespace tributary::segmenter
