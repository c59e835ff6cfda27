#pragma once

#include <deque>

#include "segmenter/plan/segment_plan.hh"
#include "segmenter/publish/cmaf_writer.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// Name of the sound where there is but one.
inline constexpr const char* kSoundName = "audio";

/// Encoded sound, of which every frame has the same number of samples.
struct SoundStream {
  const AVCodecParameters* codec;
  int sample_rate = 0, channels = 0;
  int frame_samples = 0;
  TrackLabel label;
  DataRate target;  // what was asked of the encoder, zero if unknown
};

/// Publishes sound, cut where the picture is cut: at the boundary of a frame of sound nearest to it. It has as
/// many segments as the picture; sound that goes on after the last picture is dropped.
class SoundSegments {
 public:
  /// `offset`: seconds by which it is shown later than decoded, as the picture is.
  SoundSegments(const std::string& id, const SoundStream& stream, AVRational offset, const SegmentPlan& plan,
                const TrackDestination& destination);

  /// The next frame. It shares the packet's data.
  void add(const AVPacket& packet) { waiting_.push_back(clone(packet)); }
  std::uint64_t frames() const { return written_ + waiting_.size(); }
  /// Publishes the segments that so many pictures complete, as far as their sound is there.
  void advance(std::uint64_t pictures);
  /// The track without segments.
  Track describe() const { return writer_.describe(); }
  /// Publishes the rest, knowing the number of all pictures. The track for the index. Nothing when the sound ends
  /// before the last segment begins; where it ends within that, the segment is shorter than that of the picture.
  std::optional<Track> finish(std::uint64_t pictures);

 private:
  /// The number of frames of sound up to the end of the next segment.
  std::uint64_t next_boundary(std::uint64_t pictures) const;
  void write_segment(std::uint64_t until);

  SegmentPlan plan_;
  int sample_rate_, frame_samples_;
  std::int64_t offset_ticks_;
  CmafWriter cmaf_;
  TrackWriter writer_;
  std::deque<PacketHandle> waiting_;
  std::uint64_t written_ = 0;  // frames of sound in published segments
};

}  // namespace tributary::segmenter
