#pragma once

#include "segmenter/sound/audio_encoder.hh"
#include "segmenter/sound/sound_segments.hh"

namespace tributary::segmenter {

/// Encodes the sound and publishes it in the segments of the picture.
class AudioTrack {
 public:
  /// `offset` is as for SoundSegments.
  AudioTrack(const std::string& id, const SoundFormat& source, const SoundEncoding& encoding, AVRational offset,
             const SegmentPlan& plan, const TrackDestination& destination);

  void add(AVFrame& sound);
  /// The track without segments.
  Track describe() const { return segments_.describe(); }
  /// Publishes the segments that `pictures` pictures complete, as far as their sound is there.
  void advance(std::uint64_t pictures) { segments_.advance(pictures); }
  /// Publishes the rest; `pictures` is the number of all pictures. Returns the track for the index.
  Track finish(std::uint64_t pictures);

 private:
  SegmentPlan plan_;
  AudioEncoder encoder_;
  SoundSegments segments_;
};

}  // namespace tributary::segmenter
