#pragma once

#include <deque>

#include "segmenter/plan/segment_plan.hh"
#include "segmenter/publish/cmaf_writer.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// Name of the only sound.
inline constexpr const char* kSoundName = "audio";

/// Encoded sound. Every frame has the same number of samples.
struct SoundStream {
  const AVCodecParameters* codec;
  int sample_rate = 0, channels = 0;
  int frame_samples = 0;
  TrackLabel label;
  DataRate target;  // asked of the encoder; zero: unknown
};

/// Publishes sound in as many segments as the picture. Cuts at the boundary of a frame of sound that is nearest to the
/// picture's cut. Drops sound after the last picture.
class SoundSegments {
 public:
  /// `offset`: seconds by which sound is presented later than decoded, as the picture is.
  SoundSegments(const std::string& id, const SoundStream& stream, AVRational offset, const SegmentPlan& plan,
                const TrackDestination& destination);

  /// Adds the next frame, and shares the packet's data.
  void add(const AVPacket& packet) { waiting_.push_back(clone(packet)); }
  std::uint64_t frames() const { return written_ + waiting_.size(); }
  /// Publishes the segments that `pictures` pictures complete, as far as their sound is there.
  void advance(std::uint64_t pictures);
  /// The track without segments.
  Track describe() const { return writer_.describe(); }
  /// Publishes the rest; `pictures` is the number of all pictures. Returns the track for the index; nothing if the
  /// sound ends before the last segment begins. If it ends within the last segment, that is shorter than the picture's.
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
