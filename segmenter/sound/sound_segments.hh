#pragma once

#include <deque>

#include "segmenter/plan/part_plan.hh"
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
/// picture's cut, also where parts end. Drops sound after the last picture.
class SoundSegments {
 public:
  /// `offset`: seconds by which sound is presented later than decoded, as the picture is.
  SoundSegments(const std::string& id, const SoundStream& stream, AVRational offset, const SegmentPlan& plan,
                const TrackDestination& destination);

  /// Adds the next frame, and shares the packet's data.
  void add(const AVPacket& packet) { waiting_.push_back(clone(packet)); }
  std::uint64_t frames() const { return written_ + waiting_.size(); }
  /// Publishes the segments and parts that `pictures` pictures complete, as far as their sound is there.
  void advance(std::uint64_t pictures);
  /// The track without segments.
  Track describe() const { return writer_.describe(); }
  /// Publishes the rest; `pictures` is the number of all pictures. Returns the track for the index; nothing if the
  /// sound ends before the last segment begins. If it ends within the last segment, that is shorter than the picture's.
  std::optional<Track> finish(std::uint64_t pictures);

 private:
  /// The number of frames of sound up to that picture's beginning; at least one more than there are so far.
  std::uint64_t boundary(std::uint64_t picture) const;
  /// Packs the frames of the next part, and publishes it if it is a file of its own.
  void write_part(std::uint64_t until);
  void end_segment();
  std::int64_t decoding_time() const {
    return static_cast<std::int64_t>(writer_.start()) + static_cast<std::int64_t>(written_) * frame_samples_;
  }

  SegmentPlan plan_;
  PartPlan parts_;
  int sample_rate_, frame_samples_;
  std::int64_t offset_ticks_;
  CmafWriter cmaf_;
  TrackWriter writer_;
  std::deque<PacketHandle> waiting_;
  std::uint64_t part_begin_ = 0;     // of the next part, in pictures
  std::uint64_t segment_begin_ = 0;  // of the unfinished segment, in frames of sound
  std::uint64_t written_ = 0;        // frames of sound that are packed
};

}  // namespace tributary::segmenter
